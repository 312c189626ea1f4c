package dev.peregrine.server.websocket;

import dev.peregrine.http.WebSocketStream;
import dev.peregrine.parser.websocket.Opcode;
import java.nio.ByteBuffer;

/** A message whose parts are sent as they come. */
final class MessageParts implements WebSocketStream {
  private final ServerWebSocket socket;
  private final WebSocketSession session;
  private int opcode; // of the next frame
  private boolean ended;

  MessageParts(ServerWebSocket socket, WebSocketSession session, int opcode) {
    this.socket = socket;
    this.session = session;
    this.opcode = opcode;
  }

  @Override
  public boolean write(ByteBuffer part) {
    if (ended) {
      throw new IllegalStateException("the message has ended");
    }
    if (!socket.isOpen()) {
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
