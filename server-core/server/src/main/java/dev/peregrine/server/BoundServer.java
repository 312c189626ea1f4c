package dev.peregrine.server;

import dev.peregrine.server.start.Bootstrap;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A server that listens but doesn't accept connections yet; made by {@link HttpServerBuilder#bind}.
 * It has no threads, so it doesn't keep the program running.
 *
 * <pre>{@code
 * BoundServer bound = HttpServer.builder().handler(handler).bind();
 * registry.register(bound.address().getPort());
 * HttpServer server = bound.start();
 * }</pre>
 *
 * <p>All methods may be called from any thread.
 */
public final class BoundServer implements AutoCloseable {
  private final Bootstrap parts;
  private final @Nullable BiConsumer<? super HttpServer, ? super Throwable> fatalHook;
  private final @Nullable Health health;
  private final AtomicBoolean used = new AtomicBoolean();

  BoundServer(
      Bootstrap parts,
      @Nullable BiConsumer<? super HttpServer, ? super Throwable> fatalHook,
      @Nullable Health health) {
    this.parts = parts;
    this.fatalHook = fatalHook;
    this.health = health;
  }

  /** Returns the addresses that the server listens on; see {@link HttpServer#addresses}. */
  public List<SocketAddress> addresses() {
    return parts.addresses();
  }

  /**
   * Returns the first TCP address that the server listens on, with the actual port.
   *
   * @throws IllegalStateException if it listens on Unix domain sockets only
   */
  public InetSocketAddress address() {
    return HttpServer.firstTcp(addresses());
  }

  /**
   * Starts the server; on return it accepts connections. If that fails, it no longer listens.
   *
   * @throws IllegalStateException if it was started or closed before
   */
  public HttpServer start() {
    if (!used.compareAndSet(false, true)) {
      throw new IllegalStateException("the server was started or closed before");
    }
    return HttpServer.start(parts, fatalHook, health);
  }

  /** Stops listening, unless the server was started. Connections that wait are reset. */
  @Override
  public void close() {
    if (used.compareAndSet(false, true)) {
      parts.abandon();
    }
  }
}
