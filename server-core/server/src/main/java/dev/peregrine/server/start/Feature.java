package dev.peregrine.server.start;

import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.config.ServerPart;
import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.WebSocketOpener;
import dev.peregrine.server.loop.EventLoop;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An optional part of a server, as the server sees it. By default a method returns null: the
 * feature is none of that kind. Thread-safe.
 */
public abstract class Feature implements ServerPart {
  /** Creates a feature, which a program may give to several servers. */
  protected Feature() {}

  /** Returns the feature for one server, with what its loops share. */
  protected Feature forServer() {
    return this;
  }

  /** Returns the transport by system calls. */
  protected @Nullable NativeTransport nativeTransport() {
    return null;
  }

  /** Returns true for HTTP/2. */
  protected boolean isHttp2() {
    return false;
  }

  /** Returns a source of HTTP/2 for a loop, used when a client speaks it. */
  protected @Nullable Supplier<Protocol> http2(ExchangeContext context, ServerSettings options) {
    return null;
  }

  /** Returns a source of WebSockets for a loop, used for its first one. */
  protected @Nullable Supplier<WebSocketOpener> webSockets(
      ExchangeContext context, ServerSettings options) {
    return null;
  }

  /**
   * Returns the events of a server for a recorder of the JVM.
   *
   * @param loops those of the server, which don't run yet
   */
  protected @Nullable ServerEvents events(ServerFacts facts, List<RecordedLoop> loops) {
    return null;
  }

  /** Returns the hand-over of listening sockets. */
  protected @Nullable SocketHandOver handOver() {
    return null;
  }

  /** The server is about to start its loops, which don't run yet. */
  protected void begin(ServerFacts facts, List<EventLoop> loops) {}

  /**
   * Gives back what all loops of the server share; what they still use is given back when they end
   * that.
   */
  protected void close() {}
}
