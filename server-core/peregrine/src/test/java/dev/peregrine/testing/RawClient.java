package dev.peregrine.testing;

import dev.peregrine.testing.RawResponse.Field;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.http2.Http2Socket;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * A client that sends exactly the given bytes, and reads responses strictly by RFC 9112: a response
 * that only a lenient client would accept fails the test. A read that gets no bytes for a long time
 * fails, so that no test hangs.
 */
public final class RawClient implements AutoCloseable {
  private static final int READ_TIMEOUT_MILLIS = 120_000;
  private static final int BUFFER_BYTES = 64 * 1024;
  private static final int LINE_BYTES_MAX = 64 * 1024;
  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/1\\.1 ([1-5][0-9]{2}) ([\\t\\x20-\\x7e\\x80-\\xff]*)");
  private static final Pattern FIELD_LINE =
      Pattern.compile(
          "([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*"
              + "((?:[\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*[\\x21-\\x7e\\x80-\\xff])?)?)"
              + "[ \\t]*");
  private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,17}");
  private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9a-fA-F]{1,8}");
  private static final Pattern DATE =
      Pattern.compile(
          "(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} "
              + "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} "
              + "[0-9]{2}:[0-9]{2}:[0-9]{2} GMT");

  private final Socket socket;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int to;

  private final Socket network; // under TLS, or the same one

  private RawClient(Socket socket, Socket network) {
    this.socket = socket;
    this.network = network;
  }

  public static RawClient connect(InetSocketAddress address) {
    return connect(address, 0);
  }

  /** Connects with a receive buffer of that size, so that the server can't send much ahead. */
  public static RawClient connect(InetSocketAddress address, int receiveBufferBytes) {
    Socket socket = new Socket();
    try {
      if (receiveBufferBytes > 0) {
        socket.setReceiveBufferSize(receiveBufferBytes);
      }
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      socket.connect(address);
      return new RawClient(socket, socket);
    } catch (IOException failure) {
      try {
        socket.close();
      } catch (IOException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
      throw new UncheckedIOException(failure);
    }
  }

  /** Connects with TLS, by the certificate that tests use. */
  public static RawClient connectSecured(InetSocketAddress address, int receiveBufferBytes) {
    RawClient client = connectBeforeHandshake(address, receiveBufferBytes);
    try {
      ((SSLSocket) client.socket).startHandshake();
      return client;
    } catch (IOException failure) {
      client.reset();
      throw new UncheckedIOException(failure);
    }
  }

  /** Connects with TLS; the first bytes that are sent or read begin the handshake. */
  public static RawClient connectBeforeHandshake(
      InetSocketAddress address, int receiveBufferBytes) {
    RawClient plain = connect(address, receiveBufferBytes);
    try {
      SSLSocket socket =
          (SSLSocket)
              Certificates.client()
                  .getSocketFactory()
                  .createSocket(plain.socket, "localhost", address.getPort(), true);
      return new RawClient(socket, plain.socket);
    } catch (IOException failure) {
      plain.close();
      throw new UncheckedIOException(failure);
    }
  }

  /** Connects to a server that is spoken to in HTTP/2. */
  public static RawClient connectByHttp2(
      InetSocketAddress address, boolean tls, int receiveBufferBytes) {
    Http2Socket socket = Http2Socket.connect(address, tls, receiveBufferBytes);
    return new RawClient(socket, socket.network());
  }

  /** Returns the address that the server sees. */
  public SocketAddress localAddress() {
    return socket.getLocalSocketAddress();
  }

  // ---- sending ----

  public RawClient send(String latin1) {
    return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawClient send(byte[] bytes) {
    return send(bytes, 0, bytes.length);
  }

  public RawClient send(byte[] bytes, int start, int length) {
    try {
      socket.getOutputStream().write(bytes, start, length);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  /** Sends bytes past TLS, as they are. */
  public RawClient sendUnsecured(byte[] bytes) {
    try {
      network.getOutputStream().write(bytes);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  /** Sends the end of the stream past TLS, without a close_notify. */
  public RawClient truncate() {
    try {
      network.shutdownOutput();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  /** Sends what the server takes before it closes; returns whether that was everything. */
  public boolean sendWhileOpen(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return true;
    } catch (IOException closed) {
      return false;
    }
  }

  /**
   * Sends from another thread, for more bytes than the buffers hold while the server doesn't read.
   */
  public CompletableFuture<Void> sendMeanwhile(byte[] bytes) {
    // Not virtual: a socket whose poller sleeps in epoll_wait can stay open after its close.
    return CompletableFuture.runAsync(
        () -> send(bytes), work -> Thread.ofPlatform().daemon().start(work));
  }

  /** A whole request without content, by HTTP/1.1. */
  public RawClient get(String target) {
    return send("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }

  /** A whole request with content of a declared length, by HTTP/1.1. */
  public RawClient post(String target, byte[] content) {
    send(
        "POST "
            + target
            + " HTTP/1.1\r\nHost: test\r\nContent-Length: "
            + content.length
            + "\r\n\r\n");
    return send(content);
  }

  /** Sends the end of the stream; reading continues. */
  public RawClient halfClose() {
    try {
      socket.shutdownOutput();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return this;
  }

  /** Closes so that the server sees a reset. */
  public void reset() {
    try {
      network.setSoLinger(true, 0);
      network.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  // ---- reading ----

  /** Reads exactly one response to a request that was not a HEAD. */
  public RawResponse read() {
    return read("GET");
  }

  /** Reads exactly one response to a request of that method; not a byte more is consumed. */
  public RawResponse read(String method) {
    try {
      return doRead(method);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns true if bytes have arrived that aren't read yet. */
  public boolean hasMore() {
    return available() > 0 || (socket instanceof SSLSocket && decrypts());
  }

  /** Returns true if a record with content has arrived, which is known once it is decrypted. */
  private boolean decrypts() {
    try {
      socket.setSoTimeout(1);
      try {
        return fill();
      } catch (SocketTimeoutException none) {
        return false;
      } finally {
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns the number of bytes that have arrived and aren't read yet. */
  public int available() {
    try {
      return to - from + socket.getInputStream().available();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Reads bytes until there are that many. */
  public byte[] readBytes(int count) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(count);
      take(bytes, count);
      return bytes.toByteArray();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Reads the bytes that come next, which are none at the end of the stream; a reset fails. */
  public byte[] readSome() {
    try {
      return fill() ? readBytes(to - from) : new byte[0];
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Reads bytes up to that text, which is the end of what is returned. */
  public String readUntil(String end) {
    try {
      StringBuilder text = new StringBuilder();
      do {
        text.append((char) next());
      } while (text.length() < end.length()
          || !text.substring(text.length() - end.length()).equals(end));
      return text.toString();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Reads to the end of the stream; a reset fails. */
  public byte[] readToEnd() {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      while (fill()) {
        bytes.write(buffer, from, to - from);
        from = to;
      }
      return bytes.toByteArray();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Fails unless the next thing that comes is the end of the stream. */
  public void expectEnd() {
    byte[] rest = readToEnd();
    if (rest.length > 0) {
      throw new AssertionError(
          "expected the end of the stream, but got: "
              + new String(rest, StandardCharsets.ISO_8859_1));
    }
  }

  /** Fails unless a response was the last one of its connection; in HTTP/2, of its stream. */
  public void expectLast(RawResponse response) {
    if (!(socket instanceof Http2Socket)) {
      require(response.saysClose(), "not the last response: " + response);
      expectEnd();
    }
  }

  /** Fails unless a response comes that is incomplete at the end of the stream; a reset fails. */
  public void expectCutShort() {
    try {
      throw new AssertionError("expected a response that is cut short, but got: " + doRead("GET"));
    } catch (EOFException cutShort) {
      // as it should be
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Fails unless the next thing that comes is a reset; in HTTP/2, of the stream. */
  public void expectReset() {
    if (!endsWithReset() && !(socket instanceof Http2Socket http2 && http2.isCut())) {
      throw new AssertionError("expected a reset, but the stream was ended in order");
    }
  }

  /** Fails unless the connection is closed, by a reset or in order, after any bytes. */
  public void expectClosed() {
    endsWithReset();
  }

  private boolean endsWithReset() {
    try {
      while (fill()) {
        from = to;
      }
      return false;
    } catch (SocketException reset) {
      return true;
    } catch (SSLException alert) {
      return false;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private RawResponse doRead(String method) throws IOException {
    Matcher statusLine = STATUS_LINE.matcher(line());
    require(statusLine.matches(), "not a status line: " + statusLine);
    int status = Integer.parseInt(statusLine.group(1));
    List<Field> fields = fieldLines();
    RawResponse head = new RawResponse(status, statusLine.group(2), fields);
    checkHead(head);
    boolean chunked = head.header("Transfer-Encoding") != null;
    String length = head.header("Content-Length");
    if (method.equals("HEAD") || status < 200 || status == 204 || status == 304) {
      return head;
    }
    if (chunked) {
      return readChunked(head);
    }
    if (length != null) {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      take(content, Integer.parseInt(length));
      return head.with(Framing.LENGTH, content.toByteArray(), 0, List.of());
    }
    require(head.saysClose(), "neither length nor chunked nor close: " + head);
    return head.with(Framing.TO_CLOSE, readToEnd(), 0, List.of());
  }

  private RawResponse readChunked(RawResponse head) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int chunks = 0; ; chunks++) {
      String line = line();
      require(CHUNK_SIZE.matcher(line).matches(), "not a chunk size: " + line);
      int size = Integer.parseInt(line, 16);
      if (size == 0) {
        return head.with(Framing.CHUNKED, content.toByteArray(), chunks, fieldLines());
      }
      take(content, size);
      String end = line();
      require(end.isEmpty(), "chunk data is followed by " + end);
    }
  }

  private static void checkHead(RawResponse head) {
    String coding = head.header("Transfer-Encoding");
    String length = head.header("Content-Length");
    String connection = head.header("Connection");
    require(coding == null || length == null, "both framings: " + head);
    require(coding == null || coding.equals("chunked"), "coding of " + head);
    require(length == null || LENGTH.matcher(length).matches(), "length of " + head);
    require(
        connection == null || List.of("close", "keep-alive", "Upgrade").contains(connection),
        "connection of " + head);
    if (head.status() < 200 || head.status() == 204) {
      require(coding == null && length == null, "framing of a head without content: " + head);
    }
    String date = head.header("Date");
    if (head.status() >= 200) {
      require(date != null && DATE.matcher(date).matches(), "date of " + head);
    }
  }

  private List<Field> fieldLines() throws IOException {
    List<Field> fields = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      Matcher field = FIELD_LINE.matcher(line);
      require(field.matches(), "not a field line: " + line);
      fields.add(new Field(field.group(1), field.group(2)));
    }
    return fields;
  }

  /** A line that ends with CRLF, in which no CR or LF stands alone. */
  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = next(); c != '\r'; c = next()) {
      if (c == '\n') {
        throw new AssertionError("bare LF after: " + line);
      }
      line.append((char) c);
      require(line.length() <= LINE_BYTES_MAX, "endless line");
    }
    if (next() != '\n') {
      throw new AssertionError("bare CR after: " + line);
    }
    return line.toString();
  }

  private void take(ByteArrayOutputStream target, int count) throws IOException {
    for (int left = count; left > 0; ) {
      if (from == to && !fill()) {
        throw new EOFException("the stream ended " + left + " bytes too early");
      }
      int part = Math.min(left, to - from);
      target.write(buffer, from, part);
      from += part;
      left -= part;
    }
  }

  private int next() throws IOException {
    if (from == to && !fill()) {
      throw new EOFException("the stream ended within a response, or instead of one");
    }
    return buffer[from++] & 0xFF;
  }

  /** Returns true if bytes are buffered, after a read if none were. */
  private boolean fill() throws IOException {
    if (from < to) {
      return true;
    }
    int n = socket.getInputStream().read(buffer);
    from = 0;
    to = Math.max(n, 0);
    return n > 0;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }
}
