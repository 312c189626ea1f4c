package dev.peregrine.server.exchange.state;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.tunnel.TunnelUser;
import org.jspecify.annotations.Nullable;

/** Opens the WebSockets of one event loop. A seam, so that exchanges don't know their frames. */
public interface WebSocketOpener {
  /** The protocol's name, in the field Upgrade and in the pseudo-field ":protocol". */
  String PROTOCOL = "websocket";

  /**
   * Returns the failure that asks for a WebSocket: 426, or 400 over HTTP/2, which has no upgrades.
   */
  static HttpException required(Request request, String text) {
    return request.version() == HttpVersion.HTTP_2
        ? new HttpException(HttpStatus.BAD_REQUEST.code(), text)
        : new HttpException(HttpStatus.UPGRADE_REQUIRED.code(), text)
            .header(HeaderName.UPGRADE, PROTOCOL);
  }

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
