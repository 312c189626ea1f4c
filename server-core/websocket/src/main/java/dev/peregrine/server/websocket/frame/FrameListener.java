package dev.peregrine.server.websocket.frame;

import dev.peregrine.server.exchange.bytes.ReceivedBytes;

/**
 * The user of a {@link FrameReceiver}, called on the loop. The bytes that it gets are readable
 * during the call.
 */
public interface FrameListener {
  /** Returns true if messages are passed on; otherwise they are dropped. */
  boolean takesMessages();

  /** Returns true if another part of a decompressed message may follow in this call. */
  boolean takesPartsNow();

  /** Counts a frame without content. Returns false if the session has ended for it. */
  boolean onEmptyFrame();

  /**
   * A message, or a part of one, has arrived.
   *
   * @param last true if it ends the message
   */
  void onMessage(boolean isText, ReceivedBytes content, boolean last);

  /** A ping has arrived. */
  void onPing(ReceivedBytes content);

  /** A pong has arrived. */
  void onPong(ReceivedBytes content);

  /** A close frame has arrived. */
  void onCloseFrame(ReceivedBytes content);

  /** The client has violated the protocol or exceeded a limit, so the session must end. */
  void onFault(ClientFault fault);
}
