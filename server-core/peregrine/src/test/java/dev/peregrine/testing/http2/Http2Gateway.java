package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Translates the HTTP/1.1 of a test to HTTP/2 and back, one request after the other, each on a
 * stream. Content passes as it comes, in both directions, and a window opens only as the test
 * reads. One thread sends requests, another receives responses.
 *
 * <p>The end of the test's stream becomes the end of the connection's, after the last request. A
 * close becomes RST_STREAM of the stream under way, then the end of the connection. A stream that
 * the server resets before the end of its response becomes the end of the test's stream.
 *
 * <p>A head that isn't complete yet becomes a field block that isn't complete. An upgrade becomes
 * an extended CONNECT (RFC 8441).
 */
final class Http2Gateway {
  private static final int REQUEST_BYTES_MAX = 64 * 1024;

  final Http2Wire wire;
  final BytePipe requests = new BytePipe(REQUEST_BYTES_MAX);
  final BytePipe responses = new BytePipe(Integer.MAX_VALUE); // bounded by the windows
  private final String scheme;
  private final Http2Windows windows = new Http2Windows();
  private final PlainHpackDecoder decoder = new PlainHpackDecoder();
  private final RequestText text = new RequestText(requests, this::onConsumed);
  private final ResponseText responseText = new ResponseText(responses);
  private boolean headRead; // used by the receiving thread only
  // guarded by this
  private int stream; // of the current request
  private @Nullable GatewayHead request; // the current one
  private boolean tunnelled; // the response made a tunnel of the stream
  private boolean inBlock; // the head of the request is sent in part
  private final ByteArrayOutputStream held = new ByteArrayOutputStream(); // until its end
  private boolean last; // the client or the server wants no request after this one
  private boolean responseOver = true;
  private boolean cut; // by the server, before the end of the response
  private boolean requestUnwanted;
  private boolean goaway; // received
  private boolean closing; // by the test
  private boolean halfClosed;
  private boolean receiving; // a frame that may be the event that is awaited
  private boolean over; // nothing more is received
  private long consumedBytes; // of the test's, which were sent
  private @Nullable BooleanSupplier awaited; // before more can be sent

  private Http2Gateway(Http2Wire wire, boolean tls) {
    this.wire = wire;
    scheme = tls ? "https" : "http";
  }

  static Http2Gateway connect(InetSocketAddress server, boolean tls, int receiveBufferBytes)
      throws IOException {
    Http2Gateway gateway =
        new Http2Gateway(Http2Wire.connect(server, tls, receiveBufferBytes), tls);
    int window = receiveBufferBytes > 0 ? receiveBufferBytes : Http2Windows.DEFAULT;
    gateway.windows.declareInitial(window);
    gateway.wire.write(
        Requests.join(
            Http2Wire.PREFACE,
            Http2Frame.settings(Http2Frame.ENABLE_PUSH, 0, Http2Frame.INITIAL_WINDOW_SIZE, window)
                .bytes()));
    start(gateway::receive);
    start(gateway::send);
    return gateway;
  }

  private static void start(Runnable work) {
    // Not virtual: a socket whose poller sleeps in epoll_wait can stay open after its close.
    Thread.ofPlatform().daemon().start(work);
  }

  private void send() {
    try {
      while (sendNext()) {
        // until there is nothing more
      }
      finish();
    } catch (IOException | InterruptedException ended) {
      endBadly(ended);
    } finally {
      requests.refuse();
      onConsumed(Long.MAX_VALUE);
    }
  }

  private boolean sendNext() throws IOException, InterruptedException {
    try {
      String head = text.head(this::beginBlock);
      return head != null && sendRequest(GatewayHead.parse(head, scheme));
    } catch (EOFException cutShort) { // the test has ended its stream within a request
      return false;
    }
  }

  /** Takes the next stream; returns false if the server wants no further one. */
  private synchronized boolean open() {
    if (goaway || over) {
      return false;
    }
    stream = stream == 0 ? 1 : stream + 2;
    responseOver = false;
    requestUnwanted = false;
    windows.open(stream);
    return true;
  }

  /** Begins the field block of a head whose rest isn't there yet. */
  private void beginBlock() throws IOException {
    synchronized (this) {
      inBlock = open();
      if (inBlock) {
        wire.write(Http2Frame.headersBegin(stream, new byte[0], false).bytes());
      }
    }
  }

  /** Sends a request and waits for the end of its response; returns false if none may follow. */
  private boolean sendRequest(GatewayHead head) throws IOException, InterruptedException {
    int number;
    boolean begun;
    synchronized (this) {
      begun = inBlock;
      if (!begun && !open()) {
        return false;
      }
      number = stream;
      request = head;
      last = head.last;
    }
    byte[] block = PlainHpack.block(head.fields);
    boolean ends = !head.hasContent() && !head.tunnel;
    if (begun) {
      endBlock(Http2Frame.restOf(number, block, 0));
      sendData(number, new byte[0], ends);
    } else {
      wire.write(Http2Frame.blockOf(number, block, ends));
    }
    if (head.tunnel) {
      sendTunnel(number);
    } else if (head.chunked) {
      sendChunks(number);
    } else if (head.length > 0) {
      sendContent(number, head.length, true);
    }
    synchronized (this) {
      await(() -> responseOver || closing || over || text.isAtEnd());
      if (!responseOver && !closing && !over) {
        halfClose(); // the server may need to know before its response is complete
      }
      await(() -> responseOver || closing || over);
      return responseOver && !last && !goaway && !closing && !over;
    }
  }

  private synchronized void endBlock(byte[] frames) throws IOException {
    wire.write(Requests.join(frames, held.toByteArray()));
    held.reset();
    inBlock = false;
  }

  /** Sends frames that no request waits for; not within a field block. */
  private synchronized void sendAside(byte[] frames) throws IOException {
    if (inBlock) {
      held.writeBytes(frames);
    } else if (!halfClosed) {
      wire.write(frames);
    }
  }

  /** Sends bytes to their end if the server makes a tunnel of the stream. */
  private void sendTunnel(int number) throws IOException, InterruptedException {
    synchronized (this) {
      await(() -> tunnelled || responseOver || !isWanted());
    }
    byte[] part = isTunnel() ? text.rest() : new byte[0];
    while (part.length > 0) {
      sendData(number, part, false);
      part = text.rest();
    }
    sendData(number, part, true);
  }

  private void sendChunks(int number) throws IOException, InterruptedException {
    for (long size = text.chunkSize(); size > 0; size = text.chunkSize()) {
      sendContent(number, size, false);
      text.line();
    }
    List<Field> trailers = text.trailers();
    if (trailers.isEmpty()) {
      sendData(number, new byte[0], true);
    } else if (isWanted()) {
      wire.write(Http2Frame.blockOf(number, PlainHpack.block(trailers), true));
    }
  }

  private void sendContent(int number, long length, boolean end)
      throws IOException, InterruptedException {
    for (long left = length; left > 0; ) {
      byte[] part = text.content((int) Math.min(left, Http2Frame.BYTES_MAX));
      left -= part.length;
      sendData(number, part, end && left == 0);
    }
  }

  /** Sends content when the windows permit, unless the server wants no more of it. */
  private void sendData(int number, byte[] bytes, boolean end)
      throws IOException, InterruptedException {
    int from = 0;
    do {
      int part;
      synchronized (this) {
        await(() -> bytes.length == 0 || windows.sendable(number) > 0 || !isWanted());
        if (!isWanted()) {
          return;
        }
        part = (int) Math.min(bytes.length - from, Math.max(0, windows.sendable(number)));
        windows.sent(number, part);
      }
      int to = from + part;
      wire.write(
          Http2Frame.data(number, Arrays.copyOfRange(bytes, from, to), end && to == bytes.length)
              .bytes());
      from = to;
    } while (from < bytes.length);
  }

  /** Waits until an event permits more to be sent. */
  @SuppressWarnings("GuardedBy") // held by the callers
  private synchronized void await(BooleanSupplier event) throws InterruptedException {
    awaited = event;
    notifyAll();
    while (!event.getAsBoolean()) {
      wait();
    }
    awaited = null;
  }

  private synchronized void onConsumed(long bytes) {
    consumedBytes = bytes;
    notifyAll();
  }

  /** Waits until that number of bytes is sent, or until the gateway can't send more for now. */
  synchronized void awaitSent(long bytes) throws IOException {
    try {
      while (consumedBytes < bytes && !closing && !over && !isHeldBack()) {
        wait();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private boolean isHeldBack() {
    BooleanSupplier event = awaited;
    return event != null && !event.getAsBoolean() && !receiving;
  }

  private synchronized boolean isWanted() {
    return !requestUnwanted && !closing && !over;
  }

  /** Ends the connection after the last response, or because the test has closed. */
  private synchronized void finish() throws IOException {
    if (closing && !responseOver && !inBlock && !over) {
      wire.write(Http2Frame.rst(stream, Http2Code.CANCEL).bytes());
    }
    if (last || closing || over) {
      wire.write(Http2Frame.goaway(0, Http2Code.NO_ERROR).bytes());
      responses.end();
      wire.close();
    } else if (!goaway) {
      halfClose(); // the server ends the connection
    }
  }

  private synchronized void halfClose() throws IOException {
    if (!halfClosed) {
      halfClosed = true;
      wire.halfClose();
    }
  }

  /** Ends the test's stream. */
  synchronized void end() {
    requests.end();
    notifyAll();
  }

  /** The connection is lost. */
  private void endBadly(Exception cause) {
    try (wire) {
      synchronized (this) {
        if (!responseOver && !inBlock && !over) {
          wire.write(Http2Frame.rst(stream, Http2Code.CANCEL).bytes());
        }
      }
      responses.end();
    } catch (IOException failed) {
      responses.fail(cause + ", then " + failed);
    }
  }

  /** Closes as the test does. */
  synchronized void close() {
    closing = true;
    requests.end();
    notifyAll();
  }

  private void receive() {
    try {
      for (Http2Frame frame = wire.read(); frame != null; frame = wire.read()) {
        setReceiving(true);
        onFrame(frame);
        setReceiving(false);
      }
      responses.end();
    } catch (IOException ended) {
      responses.fail("the connection is lost: " + ended.getMessage());
    } catch (AssertionError violation) {
      violation.printStackTrace();
      responses.fail("the server violates HTTP/2: " + violation.getMessage());
    } finally {
      synchronized (this) {
        over = true;
        notifyAll();
      }
      requests.refuse();
    }
  }

  private synchronized void setReceiving(boolean receiving) {
    this.receiving = receiving;
    notifyAll();
  }

  private void onFrame(Http2Frame frame) throws IOException {
    switch (frame.type()) {
      case Http2Frame.DATA -> onData(frame);
      case Http2Frame.HEADERS -> onHeaders(frame);
      case Http2Frame.RST_STREAM -> onReset(frame);
      case Http2Frame.SETTINGS -> onSettings(frame);
      case Http2Frame.PING -> {
        if (!frame.has(Http2Frame.ACK)) {
          sendAside(new Http2Frame(Http2Frame.PING, Http2Frame.ACK, 0, frame.payload()).bytes());
        }
      }
      case Http2Frame.GOAWAY -> {
        synchronized (this) {
          goaway = true;
          notifyAll();
        }
      }
      case Http2Frame.WINDOW_UPDATE -> {
        synchronized (this) {
          windows.grantedByServer(frame.stream(), frame.intAt(0));
          notifyAll();
        }
      }
      default -> throw new AssertionError("unexpected: " + frame);
    }
  }

  private void onSettings(Http2Frame frame) throws IOException {
    synchronized (this) {
      if (frame.has(Http2Frame.ACK)) {
        windows.acknowledged();
        return;
      }
      windows.onSettings(frame);
      notifyAll();
    }
    sendAside(Http2Frame.settingsAck().bytes());
  }

  private void onHeaders(Http2Frame frame) throws IOException {
    List<Field> fields = decoder.decode(wire.readBlock(frame));
    boolean end = frame.has(Http2Frame.END_STREAM);
    if (headRead) {
      endContent(fields);
    } else if (fields.getFirst().value().startsWith("1")) {
      responseText.interim(fields);
    } else {
      onHead(fields, end);
      if (end) {
        endResponse();
      }
    }
  }

  private void onHead(List<Field> fields, boolean end) throws IOException {
    headRead = true;
    GatewayHead of = request();
    if (of.tunnel && fields.getFirst().value().startsWith("2")) {
      responseText.tunnel(of, fields);
      beginTunnel();
    } else {
      responseText.head(of, fields, end, isLast());
    }
  }

  private synchronized void beginTunnel() {
    tunnelled = true;
    last = true;
    notifyAll();
  }

  private void onData(Http2Frame frame) throws IOException {
    int flow = frame.payload().length;
    windows.received(frame.stream(), flow);
    if (!headRead) {
      throw new AssertionError("before a head: " + frame);
    }
    responseText.content(frame.content(), () -> credit(frame.stream(), flow));
    if (frame.has(Http2Frame.END_STREAM)) {
      endContent(List.of());
    }
  }

  private void endContent(List<Field> trailers) throws IOException {
    responseText.end(trailers);
    endResponse();
  }

  private void endResponse() {
    headRead = false;
    if (isTunnel()) {
      responses.end();
    }
    synchronized (this) {
      responseOver = true;
      notifyAll();
    }
  }

  private void onReset(Http2Frame frame) {
    boolean ends;
    synchronized (this) {
      if (frame.stream() != stream) {
        return;
      }
      cut = !responseOver;
      ends = cut;
      requestUnwanted = true;
      last |= cut;
      responseOver = true;
      notifyAll();
    }
    if (ends) {
      responses.end();
    }
  }

  /** Credits content that the test has read. */
  private void credit(int number, int bytes) {
    if (bytes == 0) {
      return;
    }
    windows.granted(0, bytes);
    windows.granted(number, bytes);
    try {
      sendAside(
          Http2Frame.bytes(
              Http2Frame.windowUpdate(0, bytes), Http2Frame.windowUpdate(number, bytes)));
    } catch (IOException ended) {
      // the connection has ended; what has arrived can still be read
    }
  }

  private synchronized GatewayHead request() {
    return Objects.requireNonNull(request);
  }

  private synchronized boolean isTunnel() {
    return tunnelled;
  }

  /** Returns true if the server has reset a stream before the end of its response. */
  synchronized boolean isCut() {
    return cut;
  }

  private synchronized boolean isLast() {
    return last || goaway;
  }
}
