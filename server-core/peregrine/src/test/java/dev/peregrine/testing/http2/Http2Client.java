package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A client of HTTP/2 that sends any frames, and reads those of the server strictly by RFC 9113. It
 * reads only when a test waits for something; it then acknowledges SETTINGS and PING, and credits
 * DATA, unless the test has turned that off.
 */
public final class Http2Client implements AutoCloseable {
  /** The connection preface of clients. */
  public static final byte[] PREFACE = Http2Wire.PREFACE.clone();

  private static final int NOT_YET = -1;

  private final Http2Wire wire;
  private final String scheme;
  private final Http2Windows windows = new Http2Windows();
  private final PlainHpackDecoder decoder = new PlainHpackDecoder();
  private final Map<Integer, Http2Response> responses = new HashMap<>();
  private final Map<Integer, Integer> settings = new HashMap<>();
  private final List<Http2Frame> goaways = new ArrayList<>();
  private int nextStream = 1;
  private int settingsAcks;
  private long lastPingAck = NOT_YET;
  private boolean acknowledges = true;
  private boolean credits = true;
  private boolean settingsSeen;

  private Http2Client(Http2Wire wire, boolean tls) {
    this.wire = wire;
    scheme = tls ? "https" : "http";
  }

  /** Connects, and sends nothing yet. */
  public static Http2Client connectSilently(
      InetSocketAddress address, boolean tls, int receiveBufferBytes) {
    return new Http2Client(Http2Wire.connect(address, tls, receiveBufferBytes), tls);
  }

  /** Connects, sends the preface with settings (pairs), and waits for the server's. */
  public static Http2Client connect(InetSocketAddress address, boolean tls, int... settings) {
    return connectSilently(address, tls, 0).handshake(settings);
  }

  /** Sends the preface with settings (pairs), and waits for the server's and for its ACK. */
  public Http2Client handshake(int... pairs) {
    send(PREFACE);
    declare(pairs);
    pumpUntil(() -> settingsSeen && settingsAcks == 1);
    return this;
  }

  public SocketAddress localAddress() {
    return wire.localAddress();
  }

  /** Stops acknowledging SETTINGS and PING. */
  public Http2Client withoutAcks() {
    acknowledges = false;
    return this;
  }

  /** Stops crediting DATA, so that the server's windows run out. */
  public Http2Client withoutCredit() {
    credits = false;
    return this;
  }

  // ---- sending ----

  public Http2Client send(byte[] bytes) {
    try {
      wire.write(bytes);
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Sends frames as they are; only DATA counts for the windows. */
  public Http2Client send(Http2Frame... frames) {
    for (Http2Frame frame : frames) {
      if (frame.is(Http2Frame.DATA)) {
        windows.sent(frame.stream(), frame.payload().length);
      }
    }
    return send(Http2Frame.bytes(frames));
  }

  /** Sends what the server takes before it closes; returns true if that was everything. */
  public boolean sendWhileOpen(byte[] bytes) {
    try {
      wire.write(bytes);
      return true;
    } catch (IOException closed) {
      return false;
    }
  }

  /** Sends SETTINGS (pairs), which the model of the windows follows. */
  public Http2Client declare(int... pairs) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i] == Http2Frame.INITIAL_WINDOW_SIZE) {
        windows.declareInitial(pairs[i + 1]);
      } else if (pairs[i] == Http2Frame.HEADER_TABLE_SIZE) {
        decoder.allow(pairs[i + 1]);
      }
    }
    return send(Http2Frame.settings(pairs));
  }

  /** Grants the server more bytes; stream 0 is the connection. */
  public Http2Client grant(int stream, int increment) {
    windows.granted(stream, increment);
    return send(Http2Frame.windowUpdate(stream, increment));
  }

  /** Takes the next stream without sending anything on it. */
  public int nextStream(String method) {
    int stream = nextStream;
    nextStream += 2;
    note(stream, method);
    return stream;
  }

  /** Takes the last stream that a client can open. */
  public int lastOfAllStreams(String method) {
    nextStream = Integer.MAX_VALUE;
    note(nextStream, method);
    return nextStream;
  }

  private void note(int stream, String method) {
    windows.open(stream);
    responses.put(stream, new Http2Response(stream, method));
  }

  /** Returns the pseudo fields of a request, and any other fields. */
  public List<Field> fields(String method, String path, Field... more) {
    List<Field> fields =
        new ArrayList<>(
            List.of(
                new Field(":method", method),
                new Field(":scheme", scheme),
                new Field(":authority", "test"),
                new Field(":path", path)));
    fields.addAll(Arrays.asList(more));
    return fields;
  }

  /** Sends the head of a request that continues; returns its stream. */
  public int begin(String method, String path, Field... more) {
    int stream = nextStream(method);
    return block(stream, PlainHpack.block(fields(method, path, more)), false);
  }

  /** Sends a request without content; returns its stream. */
  public int request(String method, String path, Field... more) {
    int stream = nextStream(method);
    return block(stream, PlainHpack.block(fields(method, path, more)), true);
  }

  /** Sends a header block as it is, as a whole request; returns its stream. */
  public int requestOf(byte[] block) {
    return block(nextStream("GET"), block, true);
  }

  /** Sends a header block in as many frames as it takes; returns the stream. */
  public int block(int stream, byte[] block, boolean last) {
    send(Http2Frame.blockOf(stream, block, last));
    return stream;
  }

  /**
   * Sends content in frames as the windows permit, and reads meanwhile. Ends early if the server
   * resets the stream.
   */
  public Http2Client content(int stream, byte[] bytes, boolean last) {
    int from = 0;
    do {
      if (bytes.length > 0) {
        pumpUntil(() -> windows.sendable(stream) > 0 || response(stream).resetCode() != null);
      }
      if (response(stream).resetCode() != null) {
        return this;
      }
      int part =
          (int)
              Math.min(
                  Math.min(bytes.length - from, Http2Frame.BYTES_MAX), windows.sendable(stream));
      int to = from + Math.max(0, part);
      send(
          Http2Frame.data(stream, Arrays.copyOfRange(bytes, from, to), last && to == bytes.length));
      from = to;
    } while (from < bytes.length);
    return this;
  }

  public Http2Client reset(int stream, Http2Code code) {
    return send(Http2Frame.rst(stream, code));
  }

  // ---- whole exchanges ----

  public Http2Response get(String path, Field... more) {
    return await(request("GET", path, more));
  }

  public Http2Response post(String path, byte[] content, Field... more) {
    int stream = begin("POST", path, more);
    return content(stream, content, true).await(stream);
  }

  /** Checks that the connection serves a request and has lost no bytes of its windows. */
  public void expectServed() {
    Http2Response response = get("/");
    if (response.status() == 0 || !response.isComplete()) {
      throw new AssertionError("not served: " + response);
    }
  }

  // ---- reading ----

  public Http2Response response(int stream) {
    Http2Response response = responses.get(stream);
    if (response == null) {
      throw new AssertionError("stream " + stream + " was never opened");
    }
    return response;
  }

  /** Reads until a stream is over. */
  public Http2Response await(int stream) {
    pumpUntil(() -> response(stream).isOver());
    return response(stream);
  }

  /** Reads until the head of a response is there, or its end. */
  public Http2Response awaitHead(int stream) {
    pumpUntil(() -> response(stream).status() > 0 || response(stream).isOver());
    return response(stream);
  }

  /** Reads until the server has answered a PING, so that it has handled all frames before. */
  public Http2Client roundTrip() {
    long data = System.nanoTime() & Long.MAX_VALUE;
    send(Http2Frame.ping(data));
    pumpUntil(() -> lastPingAck == data);
    return this;
  }

  /** Reads frames until the condition holds; the end of the stream before fails. */
  public void pumpUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (next() == null) {
        throw new AssertionError(
            "the connection ended after " + goaways + " and " + responses.size() + " responses");
      }
    }
  }

  /** Reads a stream's end, which must be RST_STREAM with that code. */
  public void expectReset(int stream, Http2Code code) {
    Http2Response response = await(stream);
    pumpUntil(() -> response.resetCode() != null);
    if (response.resetCode() != code) {
      throw new AssertionError("expected " + code + ", but got " + response);
    }
  }

  /** Reads to the end of the connection, before which GOAWAY with that code must come. */
  public Http2Frame expectGoaway(Http2Code code) {
    readToEnd();
    if (goaways.isEmpty()) {
      throw new AssertionError("the connection ended without GOAWAY, after " + responses);
    }
    Http2Frame last = goaways.getLast();
    if (last.code() != code) {
      throw new AssertionError("expected " + code + ", but got " + last);
    }
    return last;
  }

  /**
   * Reads until a PING with that data is answered; returns true if GOAWAY with that code comes
   * before.
   */
  public boolean isEndedWith(Http2Code code, long pingData) {
    try {
      while (lastPingAck != pingData && goaways.isEmpty() && receive() != null) {
        // reads on
      }
    } catch (SocketException | SSLException ended) {
      // by a reset, or an alert
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return !goaways.isEmpty() && goaways.getLast().code() == code;
  }

  /** Reads frames to the end of the stream, or to a reset. */
  public void readToEnd() {
    try {
      Http2Frame frame;
      do {
        frame = receive();
      } while (frame != null);
    } catch (SocketException | SSLException ended) {
      // by a reset, or an alert
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns all bytes up to the end of the stream as text, which need not be frames. */
  public String readTextToEnd() {
    try {
      return new String(wire.readToEnd(), StandardCharsets.ISO_8859_1);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Reads the next frame and follows it; null at the end of the stream. */
  public @Nullable Http2Frame next() {
    try {
      return receive();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns true if bytes have arrived that aren't read yet. */
  public boolean hasMore() {
    try {
      return wire.hasMore();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private @Nullable Http2Frame receive() throws IOException {
    Http2Frame frame = wire.read();
    if (frame == null) {
      return null;
    }
    require(frame.payload().length <= Http2Frame.BYTES_MAX, "too long", frame);
    require(settingsSeen || frame.is(Http2Frame.SETTINGS), "SETTINGS must come first", frame);
    switch (frame.type()) {
      case Http2Frame.DATA -> onData(frame);
      case Http2Frame.HEADERS -> onHeaders(frame);
      case Http2Frame.RST_STREAM -> {
        require(frame.payload().length == 4, "wrong length", frame);
        response(frame.stream()).onReset(frame.code());
      }
      case Http2Frame.SETTINGS -> onSettings(frame);
      case Http2Frame.PING -> onPing(frame);
      case Http2Frame.GOAWAY -> {
        require(
            goaways.isEmpty()
                || Integer.compareUnsigned(goaways.getLast().lastStream(), frame.lastStream()) >= 0,
            "last stream grows",
            frame);
        goaways.add(frame);
      }
      case Http2Frame.WINDOW_UPDATE -> {
        require(frame.payload().length == 4, "wrong length", frame);
        windows.grantedByServer(frame.stream(), frame.intAt(0));
      }
      default -> throw new AssertionError("unexpected: " + frame);
    }
    return frame;
  }

  private void onData(Http2Frame frame) {
    int bytes = frame.payload().length;
    windows.received(frame.stream(), bytes);
    response(frame.stream()).onData(frame.content(), frame.has(Http2Frame.END_STREAM));
    if (credits && bytes > 0) {
      windows.granted(0, bytes);
      windows.granted(frame.stream(), bytes);
      sendWhileOpen(
          Http2Frame.bytes(
              Http2Frame.windowUpdate(0, bytes), Http2Frame.windowUpdate(frame.stream(), bytes)));
    }
  }

  private void onHeaders(Http2Frame frame) throws IOException {
    List<Field> fields = decoder.decode(wire.readBlock(frame));
    response(frame.stream()).onHeaders(fields, frame.has(Http2Frame.END_STREAM));
  }

  private void onSettings(Http2Frame frame) {
    require(frame.stream() == 0, "not of the connection", frame);
    if (frame.has(Http2Frame.ACK)) {
      require(frame.payload().length == 0, "wrong length", frame);
      settingsAcks++;
      windows.acknowledged();
      return;
    }
    settingsSeen = true;
    for (int i = 0; i < frame.payload().length / 6; i++) {
      settings.put(frame.settingId(i), frame.settingValue(i));
    }
    windows.onSettings(frame);
    if (acknowledges) {
      sendWhileOpen(Http2Frame.settingsAck().bytes());
    }
  }

  private void onPing(Http2Frame frame) {
    require(frame.stream() == 0 && frame.payload().length == 8, "a bad PING", frame);
    if (frame.has(Http2Frame.ACK)) {
      lastPingAck = ByteBuffer.wrap(frame.payload()).getLong();
    } else if (acknowledges) {
      sendWhileOpen(new Http2Frame(Http2Frame.PING, Http2Frame.ACK, 0, frame.payload()).bytes());
    }
  }

  private static void require(boolean holds, String otherwise, Http2Frame frame) {
    if (!holds) {
      throw new AssertionError(otherwise + ": " + frame);
    }
  }

  // ---- state ----

  public Http2Windows windows() {
    return windows;
  }

  /** Returns the value of a setting of the server, or the other one if it hasn't sent it. */
  public int setting(int id, int otherwise) {
    return settings.getOrDefault(id, otherwise);
  }

  /** Returns the number of SETTINGS that the server has acknowledged. */
  public int settingsAcks() {
    return settingsAcks;
  }

  public List<Http2Frame> goaways() {
    return goaways;
  }

  // ---- ends ----

  /** Sends the end of the stream; reading continues. */
  public Http2Client halfClose() {
    try {
      wire.halfClose();
      return this;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Closes so that the server sees a reset. */
  public void abort() {
    try {
      wire.reset();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    try {
      wire.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
