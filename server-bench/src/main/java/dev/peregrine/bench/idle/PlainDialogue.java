package dev.peregrine.bench.idle;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Fixed bytes that the server answers at once. */
final class PlainDialogue implements Dialogue {
  private static final String STATUS_LINE = "HTTP/1.1 ";
  private static final String HANDSHAKE =
      """
      GET /ws HTTP/1.1\r
      Host: localhost\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;
  private static final String FRAME = "\u0081\u0082\0\0\0\0hi"; // a text, masked by zeros
  private static final String ECHO = "\u0081\u0002hi";

  private final byte[] first;
  private final String firstAnswer;
  private final byte[] next;
  private final String nextAnswer;
  private final ByteBuffer in = ByteBuffer.allocateDirect(4096);

  private PlainDialogue(String first, String firstAnswer, String next, String nextAnswer) {
    this.first = first.getBytes(StandardCharsets.ISO_8859_1);
    this.firstAnswer = firstAnswer;
    this.next = next.getBytes(StandardCharsets.ISO_8859_1);
    this.nextAnswer = nextAnswer;
  }

  /** Returns a request over HTTP/1.1, and the same again. */
  static PlainDialogue http1() {
    String request = "GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String answer = STATUS_LINE + "200 ";
    return new PlainDialogue(request, answer, request, answer);
  }

  /** Returns the handshake of a WebSocket, and a message that is sent back. */
  static PlainDialogue webSocket() {
    return new PlainDialogue(HANDSHAKE, STATUS_LINE + "101 ", FRAME, ECHO);
  }

  @Override
  public void begin(SocketChannel connection) throws IOException {
    ask(connection, first, firstAnswer);
  }

  @Override
  public void askAgain(SocketChannel connection) throws IOException {
    ask(connection, next, nextAnswer);
  }

  private void ask(SocketChannel connection, byte[] question, String answer) throws IOException {
    connection.write(ByteBuffer.wrap(question));
    in.clear();
    int bytes = connection.read(in);
    String start = StandardCharsets.ISO_8859_1.decode(in.flip()).toString();
    if (bytes < 0 || !start.startsWith(answer)) {
      throw new IOException("the server answered: " + start);
    }
  }
}
