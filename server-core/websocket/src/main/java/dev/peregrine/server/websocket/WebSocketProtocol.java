package dev.peregrine.server.websocket;

import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.server.websocket.deflate.CompressionBudget;
import dev.peregrine.server.websocket.deflate.CompressionPool;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * WebSockets (RFC 6455, and RFC 8441 over HTTP/2), for the handlers of a server.
 *
 * <pre>{@code
 * HttpServer.builder().with(WebSocketProtocol.create())
 * }</pre>
 */
@SuppressWarnings("exports") // what the server sees of it
public final class WebSocketProtocol extends Feature {
  private static final int COMPRESSION_LEVEL = 6; // zlib's default

  private @Nullable CompressionPool compression; // created for the first compressed WebSocket

  private WebSocketProtocol() {}

  /** Returns WebSockets for a server. */
  public static WebSocketProtocol create() {
    return new WebSocketProtocol();
  }

  @Override
  protected WebSocketProtocol forServer() {
    return new WebSocketProtocol();
  }

  @Override
  protected Supplier<WebSocketOpener> webSockets(ExchangeContext context, ServerSettings options) {
    return new OnLoop(this, context, options.limits.webSocket().compressionBytesMax());
  }

  /** Returns the memory for compressed WebSockets of all loops; callable from any thread. */
  private synchronized CompressionPool compression(long bytesMax) {
    if (compression == null) {
      compression = new CompressionPool(COMPRESSION_LEVEL, new CompressionBudget(bytesMax));
    }
    return compression;
  }

  @Override
  protected synchronized void close() {
    if (compression != null) {
      compression.close();
    }
  }

  // Not a lambda, to start sooner: see docs/ARCHITECTURE.md.
  private record OnLoop(WebSocketProtocol server, ExchangeContext context, long bytesMax)
      implements Supplier<WebSocketOpener> {
    @Override
    public WebSocketOpener get() {
      return new WebSocketContext(context, () -> server.compression(bytesMax));
    }
  }
}
