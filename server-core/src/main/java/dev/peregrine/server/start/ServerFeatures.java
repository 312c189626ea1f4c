package dev.peregrine.server.start;

import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The optional parts of one server, each behind its own interface. By default a method returns
 * null: the server is built without that part. Layers of endpoints, listeners and the hand-over are
 * separate options. Thread-safe.
 */
public interface ServerFeatures extends AutoCloseable {
  /** Returns the transport by system calls; null if there is only {@code java.nio}. */
  default @Nullable NativeTransport nativeTransport() {
    return null;
  }

  /** Returns a source of HTTP/2 for a loop, used when a client speaks it; null for HTTP/1 only. */
  default @Nullable Supplier<Protocol> http2(ExchangeContext context, ServerSettings options) {
    return null;
  }

  /** Returns a source of WebSockets for a loop, used for its first one; null for none. */
  default @Nullable Supplier<WebSocketOpener> webSockets(
      ExchangeContext context, ServerSettings options) {
    return null;
  }

  /**
   * Returns the events of a server for a recorder of the JVM; null if none are recorded.
   *
   * @param loops those of the server, which don't run yet
   */
  default @Nullable ServerEvents events(ServerFacts facts, List<RecordedLoop> loops) {
    return null;
  }

  /** Gives back what all loops share; what they still use is given back when they end that. */
  @Override
  default void close() {}
}
