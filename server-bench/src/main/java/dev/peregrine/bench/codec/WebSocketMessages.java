package dev.peregrine.bench.codec;

import dev.peregrine.bench.corpus.WebSocketFrames;
import java.nio.ByteBuffer;

/** The bytes of a WebSocket client: its handshake, then in each read some text messages. */
final class WebSocketMessages implements ScriptedSocket.Script {
  private final ByteBuffer handshake = direct(WebSocketFrames.handshake());
  private final ByteBuffer messages;
  private boolean begun;

  /**
   * Creates a script.
   *
   * @param text the text of each message
   * @param depth messages of a read
   */
  WebSocketMessages(byte[] text, int depth) {
    byte[] frame = WebSocketFrames.fromClient(text);
    messages = ByteBuffer.allocateDirect(frame.length * depth);
    for (int i = 0; i < depth; i++) {
      messages.put(frame);
    }
    messages.clear();
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
  }

  @Override
  public ByteBuffer next() {
    if (begun) {
      return messages;
    }
    begun = true;
    return handshake;
  }
}
