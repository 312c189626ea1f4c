package dev.peregrine.server.websocket;

import dev.peregrine.http.WebSocketStream;
import dev.peregrine.parser.websocket.Opcode;
import dev.peregrine.server.exchange.bytes.GivenBuffer;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/** A message whose parts are sent as they come. */
final class MessageParts implements WebSocketStream {
  private final ServerWebSocket socket;
  private final WebSocketSession session;
  private final LeasedMessages leased;
  private int opcode; // of the next frame
  private boolean ended;

  MessageParts(
      ServerWebSocket socket, WebSocketSession session, LeasedMessages leased, int opcode) {
    this.socket = socket;
    this.session = session;
    this.leased = leased;
    this.opcode = opcode;
  }

  @Override
  public boolean write(ByteBuffer part) {
    if (!isSending()) {
      return false;
    }
    if (part.hasRemaining()) {
      int first = next();
      if (socket.isDirect()) {
        session.sender().part(first, part);
      } else {
        ByteBuffer kept = FrameSender.copy(part);
        socket.sendInOrder(kept.remaining(), () -> session.sender().part(first, kept));
      }
    }
    return socket.isWritable();
  }

  /**
   * Returns true if parts are sent.
   *
   * @throws IllegalStateException if the message has ended
   */
  private boolean isSending() {
    if (ended) {
      throw new IllegalStateException("the message has ended");
    }
    return socket.isOpen();
  }

  @Override
  public boolean write(ByteBuffer part, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(part, "part");
    Objects.requireNonNull(whenSent, "whenSent");
    boolean sends = false;
    try {
      GivenBuffer.check(part);
      sends = isSending() && part.hasRemaining();
    } finally {
      if (!sends) {
        leased.end(part, whenSent);
      }
    }
    if (sends) {
      leased.sendPart(socket, session.sender(), next(), part, whenSent);
    }
    return socket.isOpen() && socket.isWritable();
  }

  private int next() {
    int present = opcode;
    opcode = Opcode.CONTINUATION;
    return present;
  }

  @Override
  public void end() {
    if (!ended) {
      ended = true;
      int last = next();
      socket.act(() -> session.endParts(last));
      socket.onPartsEnd();
    }
  }
}
