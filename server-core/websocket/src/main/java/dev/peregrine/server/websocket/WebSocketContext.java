package dev.peregrine.server.websocket;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.state.Attributes;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.tunnel.TunnelUser;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import dev.peregrine.server.websocket.deflate.DeflateOffer;
import dev.peregrine.server.websocket.deflate.DeflateOptions;
import dev.peregrine.server.websocket.deflate.DeflateParameters;
import dev.peregrine.server.websocket.deflate.SessionCompression;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens the WebSockets of one event loop. {@link #agree} is called on any thread. */
final class WebSocketContext implements WebSocketOpener {
  private final WebSocketLoop shared;
  private final Supplier<CompressionPool> compression;

  /**
   * Creates the parts for the first WebSocket of a loop; on any thread.
   *
   * @param compression returns the pool of the server; called only if a socket is compressed
   */
  WebSocketContext(ExchangeContext context, Supplier<CompressionPool> compression) {
    this.compression = compression;
    this.shared = new WebSocketLoop(context, compression);
  }

  @Override
  public Agreement agree(Request request, Response response, WebSocketOptions options) {
    DeflateOffer offer = offer(request);
    Handshake.agree(request, response, options.subprotocol());
    SessionCompression compressed = null;
    DeflateParameters wanted =
        offer == null || !options.compression() ? null : offer.choose(DeflateOptions.DEFAULT);
    if (wanted != null) {
      compressed = SessionCompression.open(compression.get(), wanted);
    }
    if (compressed != null) {
      response.header(HeaderName.SEC_WEBSOCKET_EXTENSIONS, compressed.parameters().answer());
    }
    return new Opening(options, compressed);
  }

  /** Returns the client's offer of compression; null for none. */
  private static @Nullable DeflateOffer offer(Request request) {
    List<String> values = request.headers(HeaderName.SEC_WEBSOCKET_EXTENSIONS);
    DeflateOffer offer = values.isEmpty() ? null : DeflateOffer.parse(values);
    if (offer != null && offer.isMalformed()) {
      throw new HttpException(
          HttpStatus.BAD_REQUEST.code(), "Sec-WebSocket-Extensions is malformed");
    }
    return offer;
  }

  private final class Opening implements Agreement {
    private final WebSocketOptions options;
    private final @Nullable SessionCompression compressed;

    Opening(WebSocketOptions options, @Nullable SessionCompression compressed) {
      this.options = options;
      this.compressed = compressed;
    }

    @Override
    public TunnelUser open(
        Connection connection, WebSocketListener listener, @Nullable Attributes attributes) {
      ListenerCalls calls = new ListenerCalls(listener, connection);
      SocketState state = new SocketState();
      WebSocketSession session =
          new WebSocketSession(shared, connection, calls, state, options, compressed);
      calls.bind(
          new ServerWebSocket(
              session, state, shared, connection, options.subprotocol(), attributes));
      return session;
    }
  }
}
