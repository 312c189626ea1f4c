package dev.peregrine.http;

/**
 * Receives messages of any length in parts, as they arrive; a part may be smaller or larger than
 * the client's frames. {@link #onText} and {@link #onBinary} aren't called.
 */
public interface WebSocketPartListener extends WebSocketListener {
  /**
   * A part of a text message has arrived.
   *
   * @param part valid UTF-8, except that it may begin and end within a character; readable during
   *     this call only. Only the last part may be empty
   * @param last true for the last part of a message
   * @throws Exception closes the socket
   */
  default void onTextPart(WebSocket socket, Bytes part, boolean last) throws Exception {
    socket.close(1003, "text messages are not accepted here");
  }

  /**
   * A part of a binary message has arrived.
   *
   * @param part readable during this call only. Only the last part may be empty
   * @param last true for the last part of a message
   * @throws Exception closes the socket
   */
  default void onBinaryPart(WebSocket socket, Bytes part, boolean last) throws Exception {
    socket.close(1003, "binary messages are not accepted here");
  }
}
