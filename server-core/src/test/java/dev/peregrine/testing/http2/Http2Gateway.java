package dev.peregrine.testing.http2;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Translates the HTTP/1.1 of a test to HTTP/2 and back, one request after the other, each on a
 * stream. Content passes as it comes, in both directions, and a window opens only as the test
 * reads. One thread sends requests, another receives responses.
 *
 * <p>The end of the test's stream becomes the end of the connection, after the responses under way.
 * A close becomes RST_STREAM of the stream under way, then the end of the connection. A stream that
 * the server resets before the end of its response becomes the end of the test's stream.
 */
final class Http2Gateway {
  private static final int REQUEST_BYTES_MAX = 64 * 1024;

  final Http2Wire wire;
  final BytePipe requests = new BytePipe(REQUEST_BYTES_MAX);
  final BytePipe responses = new BytePipe(Integer.MAX_VALUE); // bounded by the windows

  private final String scheme;
  private final Http2Windows windows = new Http2Windows();
  private final PlainHpackDecoder decoder = new PlainHpackDecoder();
  private final RequestText text = new RequestText(requests);

  // guarded by this
  private int stream; // of the current request
  private boolean toHead;
  private boolean last; // the client or the server wants no request after this one
  private boolean responseOver = true;
  private boolean requestUnwanted;
  private boolean goaway;
  private boolean closing; // by the test
  private boolean over;

  private boolean headRead; // used by the receiving thread only, like the next one
  private boolean chunked;

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
    Thread ignored = Thread.ofVirtual().start(work);
  }

  // ---- requests ----

  private void send() {
    try {
      boolean more = true;
      while (more) {
        String head = text.head();
        more = head != null && sendRequest(GatewayHead.parse(head, scheme));
      }
      finish();
    } catch (IOException | InterruptedException ended) {
      endBadly(ended);
    }
  }

  /** Sends a request and waits for the end of its response; returns false if none may follow. */
  private boolean sendRequest(GatewayHead head) throws IOException, InterruptedException {
    int number;
    synchronized (this) {
      if (goaway || over) {
        return false;
      }
      stream = stream == 0 ? 1 : stream + 2;
      number = stream;
      toHead = head.method.equals("HEAD");
      last = head.last;
      responseOver = false;
      requestUnwanted = false;
      windows.open(number);
    }
    sendBlock(number, PlainHpack.block(head.fields), !head.hasContent());
    if (head.chunked) {
      sendChunks(number);
    } else if (head.length > 0) {
      sendContent(number, head.length, true);
    }
    synchronized (this) {
      while (!responseOver && !closing && !over) {
        wait();
      }
      return responseOver && !last && !goaway && !closing && !over;
    }
  }

  private void sendBlock(int number, byte[] block, boolean end) throws IOException {
    wire.write(Http2Frame.blockOf(number, block, end));
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
      sendBlock(number, PlainHpack.block(trailers), true);
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
        while (bytes.length > 0 && windows.sendable(number) <= 0 && isWanted()) {
          wait();
        }
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

  private synchronized boolean isWanted() {
    return !requestUnwanted && !closing && !over;
  }

  /** Ends the connection after the last response, or because the test has closed. */
  private void finish() throws IOException {
    boolean byClient;
    boolean byServer;
    synchronized (this) {
      if (closing && !responseOver && !over) {
        wire.write(Http2Frame.rst(stream, Http2Code.CANCEL).bytes());
      }
      byClient = last || closing || over;
      byServer = goaway;
    }
    requests.refuse();
    if (byClient) {
      wire.write(Http2Frame.goaway(0, Http2Code.NO_ERROR).bytes());
      wire.close();
      responses.end();
    } else if (!byServer) {
      wire.halfClose(); // the test has ended its stream; the server ends the connection
    }
  }

  /** The test's stream has ended within a request, or the connection is lost. */
  private void endBadly(Exception cause) {
    requests.refuse();
    try (wire) {
      synchronized (this) {
        if (!responseOver && !over) {
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

  // ---- responses ----

  private void receive() {
    try {
      Http2Frame frame = wire.read();
      while (frame != null) {
        onFrame(frame);
        frame = wire.read();
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

  private void onFrame(Http2Frame frame) throws IOException {
    switch (frame.type()) {
      case Http2Frame.DATA -> onData(frame);
      case Http2Frame.HEADERS -> onHeaders(frame);
      case Http2Frame.RST_STREAM -> onReset(frame);
      case Http2Frame.SETTINGS -> onSettings(frame);
      case Http2Frame.PING -> {
        if (!frame.has(Http2Frame.ACK)) {
          wire.write(new Http2Frame(Http2Frame.PING, Http2Frame.ACK, 0, frame.payload()).bytes());
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
      for (int i = 0; i < frame.payload().length / 6; i++) {
        if (frame.settingId(i) == Http2Frame.INITIAL_WINDOW_SIZE) {
          windows.serversInitial(frame.settingValue(i));
        }
      }
      notifyAll();
    }
    wire.write(Http2Frame.settingsAck().bytes());
  }

  private void onHeaders(Http2Frame frame) throws IOException {
    List<Field> fields = decoder.decode(wire.readBlock(frame));
    boolean end = frame.has(Http2Frame.END_STREAM);
    if (headRead) {
      endContent(fields);
    } else if (fields.getFirst().value().startsWith("1")) {
      pass(GatewayHead.text(fields, ""));
    } else {
      onHead(fields, end);
      if (end) {
        endResponse();
      }
    }
  }

  private void onHead(List<Field> fields, boolean end) throws IOException {
    String status = fields.getFirst().value();
    boolean lengthKnown = fields.stream().anyMatch(field -> field.name().equals("content-length"));
    boolean without = status.equals("204") || status.equals("304") || toHead();
    chunked = !end && !lengthKnown;
    headRead = true;
    String framing = "";
    if (chunked) {
      framing = "Transfer-Encoding: chunked\r\n";
    } else if (end && !lengthKnown && !without) {
      framing = "Content-Length: 0\r\n";
    }
    pass(GatewayHead.text(fields, framing + (isLast() ? "Connection: close\r\n" : "")));
  }

  private void onData(Http2Frame frame) throws IOException {
    int flow = frame.payload().length;
    windows.received(frame.stream(), flow);
    byte[] content = frame.content();
    Runnable credit = () -> credit(frame.stream(), flow);
    if (!headRead) {
      throw new AssertionError("before a head: " + frame);
    }
    if (content.length == 0) {
      credit.run();
    } else if (chunked) {
      pass(Requests.bytes(Integer.toHexString(content.length) + "\r\n"));
      responses.write(content, credit);
      pass(Requests.bytes("\r\n"));
    } else {
      responses.write(content, credit);
    }
    if (frame.has(Http2Frame.END_STREAM)) {
      endContent(List.of());
    }
  }

  private void endContent(List<Field> trailers) throws IOException {
    if (chunked) {
      StringBuilder lines = new StringBuilder("0\r\n");
      for (Field field : trailers) {
        lines.append(GatewayHead.nameOf(field) + ": " + field.value() + "\r\n");
      }
      pass(Requests.bytes(lines + "\r\n"));
    }
    endResponse();
  }

  private void endResponse() {
    headRead = false;
    synchronized (this) {
      responseOver = true;
      notifyAll();
    }
  }

  private void onReset(Http2Frame frame) {
    boolean cut;
    synchronized (this) {
      if (frame.stream() != stream) {
        return;
      }
      cut = !responseOver;
      requestUnwanted = true;
      last |= cut;
      responseOver = true;
      notifyAll();
    }
    if (cut) {
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
      wire.write(
          Http2Frame.bytes(
              Http2Frame.windowUpdate(0, bytes), Http2Frame.windowUpdate(number, bytes)));
    } catch (IOException ended) {
      // the connection has ended; what has arrived can still be read
    }
  }

  private void pass(byte[] bytes) throws IOException {
    responses.write(bytes, () -> {});
  }

  private synchronized boolean toHead() {
    return toHead;
  }

  private synchronized boolean isLast() {
    return last || goaway;
  }
}
