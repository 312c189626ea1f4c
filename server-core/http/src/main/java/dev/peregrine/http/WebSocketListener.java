package dev.peregrine.http;

/**
 * Receives the messages of a {@link WebSocket}, on the event loop: a method that blocks makes all
 * other clients of the loop wait ({@code WebSockets.blocking} is for those). An exception of a
 * method is logged and closes the socket with 1011.
 *
 * <p>Messages come whole, up to {@code WebSocketLimits.messageBytesMax}; {@link
 * WebSocketPartListener} gets longer ones in parts. A message of a kind that the listener doesn't
 * override closes the socket with 1003.
 */
public interface WebSocketListener {
  /**
   * The socket is open; called before all other methods.
   *
   * @throws Exception closes the socket
   */
  default void onOpen(WebSocket socket) throws Exception {}

  /**
   * A text message has arrived.
   *
   * @param text valid UTF-8, readable during this call only
   * @throws Exception closes the socket
   */
  default void onText(WebSocket socket, Bytes text) throws Exception {
    socket.close(1003, "text messages are not accepted here");
  }

  /**
   * A binary message has arrived.
   *
   * @param content readable during this call only
   * @throws Exception closes the socket
   */
  default void onBinary(WebSocket socket, Bytes content) throws Exception {
    socket.close(1003, "binary messages are not accepted here");
  }

  /**
   * A ping has arrived; the pong has been sent.
   *
   * @param content at most 125 bytes, readable during this call only
   * @throws Exception closes the socket
   */
  default void onPing(WebSocket socket, Bytes content) throws Exception {}

  /**
   * A pong has arrived.
   *
   * @param content at most 125 bytes, readable during this call only
   * @throws Exception closes the socket
   */
  default void onPong(WebSocket socket, Bytes content) throws Exception {}

  /**
   * The server has begun to shut down. By default the socket is closed with 1001; a listener that
   * overrides this may send a last message before. A socket that is still open at the end of the
   * shutdown's time is cut.
   *
   * @throws Exception closes the socket
   */
  default void onShutdown(WebSocket socket) throws Exception {
    socket.close(1001, "the server is shutting down");
  }

  /**
   * The socket is closed: the client has sent its close frame, or the connection has ended. Called
   * once for each socket that was opened, after all other methods.
   *
   * @param code the client's code, 1005 if it gave none, or 1006 if the connection has ended
   *     without a close frame of the client
   * @param reason the client's reason; the cause of the end if the code is 1006
   */
  default void onClose(WebSocket socket, int code, String reason) {}
}
