package dev.peregrine.bench.idle;

import dev.peregrine.bench.corpus.WebSocketFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Fixed bytes that the server answers at once. */
final class PlainDialogue implements Dialogue {
  private static final String STATUS_LINE = "HTTP/1.1 ";
  private static final byte[] MESSAGE = "hi".getBytes(StandardCharsets.US_ASCII);

  private final byte[] first;
  private final String firstAnswer;
  private final byte[] next;
  private final String nextAnswer;
  private final ByteBuffer in = ByteBuffer.allocateDirect(4096);

  private PlainDialogue(byte[] first, String firstAnswer, byte[] next, String nextAnswer) {
    this.first = first;
    this.firstAnswer = firstAnswer;
    this.next = next;
    this.nextAnswer = nextAnswer;
  }

  /** Returns a request over HTTP/1.1, and the same again. */
  static PlainDialogue http1() {
    byte[] request =
        "GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    String answer = STATUS_LINE + "200 ";
    return new PlainDialogue(request, answer, request, answer);
  }

  /** Returns the handshake of a WebSocket, and a message that is sent back. */
  static PlainDialogue webSocket() {
    String echo = new String(WebSocketFrames.fromServer(MESSAGE), StandardCharsets.ISO_8859_1);
    return new PlainDialogue(
        WebSocketFrames.handshake(),
        STATUS_LINE + "101 ",
        WebSocketFrames.fromClient(MESSAGE),
        echo);
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
