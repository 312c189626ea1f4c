package dev.peregrine.jdk.httpserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A client that sends exactly the given bytes. Text is ISO-8859-1. */
final class RawClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 30_000;

  private final Socket socket;
  private final InputStream in;

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  static RawClient connect(int port) throws IOException {
    return new RawClient(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  int localPort() {
    return socket.getLocalPort();
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** Sends the head of a request with Host and other fields. */
  RawClient request(String method, String target, String... fields) throws IOException {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: a\r\n");
    for (String field : fields) {
      head.append(field).append("\r\n");
    }
    return send(head.append("\r\n").toString());
  }

  /** Sends a POST request with content. */
  RawClient post(String target, String content) throws IOException {
    return request("POST", target, "Content-Length: " + content.length()).send(content);
  }

  /** Receives a response with its content. */
  Answer receive() throws IOException {
    Answer head = receiveHead();
    if (head.status() == 204 || head.status() == 304 || head.status() < 200) {
      return head;
    }
    if (head.isChunked()) {
      return receiveChunks(head);
    }
    List<String> length = head.values("Content-Length");
    String content =
        length.isEmpty() ? receiveToEnd() : receive(Integer.parseInt(length.getFirst()));
    return new Answer(head.statusLine(), head.fields(), content, List.of());
  }

  /** Receives the head of a response, as that to a HEAD request. */
  Answer receiveHead() throws IOException {
    String statusLine = receiveLine();
    List<String> fields = new ArrayList<>();
    for (String line = receiveLine(); !line.isEmpty(); line = receiveLine()) {
      fields.add(line);
    }
    return new Answer(statusLine, fields, "", List.of());
  }

  private Answer receiveChunks(Answer head) throws IOException {
    StringBuilder content = new StringBuilder();
    List<Integer> chunks = new ArrayList<>();
    while (true) {
      int length = Integer.parseInt(receiveLine(), 16);
      content.append(receive(length));
      if (!receiveLine().isEmpty()) {
        throw new IOException("no line break after a chunk");
      }
      if (length == 0) {
        return new Answer(head.statusLine(), head.fields(), content.toString(), chunks);
      }
      chunks.add(length);
    }
  }

  /** Receives that many bytes. */
  String receive(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException(bytes.length + " bytes of " + count);
    }
    return new String(bytes, ISO_8859_1);
  }

  /** Receives a line, without its end. */
  String receiveLine() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the end after: " + line);
      }
      if (next == '\n') {
        return line.substring(0, line.length() - 1);
      }
      line.append((char) next);
    }
  }

  /** Receives what comes until the server ends the connection in order. */
  String receiveToEnd() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  /** Receives what comes until the end in order, or until the connection breaks. */
  String receiveToEndOrReset() throws SocketTimeoutException {
    StringBuilder received = new StringBuilder();
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        received.append((char) next);
      }
    } catch (SocketTimeoutException open) {
      throw open;
    } catch (IOException broken) {
      return received.toString();
    }
    return received.toString();
  }

  /** Returns true if the server ends the connection, in order or not, without another byte. */
  boolean isEnded() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** Ends the client's side. */
  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Vanishes: the server gets a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
