package dev.peregrine.server.exchange;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.server.connection.Connection;
import org.jspecify.annotations.Nullable;

/** Opens the WebSockets of one event loop. A seam, so that exchanges don't know their frames. */
public interface WebSocketOpener {
  /**
   * Checks the handshake of a request that asks for a WebSocket, and sets the response fields that
   * answer it. Called by the thread of the handler.
   *
   * @throws HttpException if the handshake isn't valid
   * @throws IllegalArgumentException if the client doesn't offer the subprotocol of the options
   */
  Agreement agree(Request request, Response response, WebSocketOptions options);

  /** The result of a valid handshake. */
  interface Agreement {
    /**
     * Returns the protocol of the connection or stream after the response.
     *
     * @param attributes the attributes of the request, now those of the socket; null for none
     */
    TunnelUser open(
        Connection connection, WebSocketListener listener, @Nullable Attributes attributes);
  }
}
