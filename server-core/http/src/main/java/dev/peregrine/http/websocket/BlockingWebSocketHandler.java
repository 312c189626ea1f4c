package dev.peregrine.http.websocket;

/** Serves one WebSocket on a virtual thread; see {@link WebSockets#blocking}. */
@FunctionalInterface
public interface BlockingWebSocketHandler {
  /**
   * Serves a socket from its beginning to its end. Its return closes the socket with 1000, or with
   * 1001 if the server is shutting down.
   *
   * @throws Exception closes the socket with 1011 and is logged, except for an {@code IOException}
   *     after the socket has closed
   */
  void handle(BlockingWebSocket socket) throws Exception;
}
