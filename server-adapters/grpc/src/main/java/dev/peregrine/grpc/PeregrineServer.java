package dev.peregrine.grpc;

import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server that serves calls only.
 *
 * <pre>
 *   new ──start──▶ running ──shutdown──▶ drains ──the last call ends, shutdownNow──▶ terminated
 * </pre>
 */
final class PeregrineServer extends Server {
  private static final Duration UNLIMITED = Duration.ofDays(365);

  private final HttpServerBuilder options;
  private final ServiceTable table;
  private final CountDownLatch terminated = new CountDownLatch(1);
  private final Object lock = new Object();
  private @Nullable HttpServer server;
  private boolean shutdown;

  PeregrineServer(HttpServerBuilder options, GrpcServices.Builder services) {
    this.options = options;
    GrpcServices built = services.build(this);
    this.table = built.table();
    Routes.Builder routes = built.addTo(Routes.builder());
    options.handler(routes.any("/*", built).build());
  }

  @Override
  public Server start() throws IOException {
    synchronized (lock) {
      if (server != null) {
        throw new IllegalStateException("Already started");
      } else if (shutdown) {
        throw new IllegalStateException("Shutting down");
      }
      try {
        server = options.start();
      } catch (UncheckedIOException failed) { // whose text names the address
        throw new IOException(failed.getMessage(), failed.getCause());
      }
    }
    return this;
  }

  private HttpServer started() {
    synchronized (lock) {
      if (server == null) {
        throw new IllegalStateException("Not started");
      }
      return server;
    }
  }

  @Override
  public int getPort() {
    HttpServer running = started();
    if (isTerminated()) {
      throw new IllegalStateException("Already terminated");
    }
    for (SocketAddress address : running.addresses()) {
      if (address instanceof InetSocketAddress tcp) {
        return tcp.getPort();
      }
    }
    return -1;
  }

  @Override
  public List<SocketAddress> getListenSockets() {
    HttpServer running = started();
    return isTerminated() ? List.of() : running.addresses();
  }

  @Override
  public List<ServerServiceDefinition> getServices() {
    List<ServerServiceDefinition> all = new ArrayList<>(table.services());
    all.addAll(table.fallbackServices());
    return List.copyOf(all);
  }

  @Override
  public List<ServerServiceDefinition> getImmutableServices() {
    return table.services();
  }

  @Override
  public List<ServerServiceDefinition> getMutableServices() {
    return table.fallbackServices();
  }

  @Override
  public Server shutdown() {
    HttpServer running = beginShutdown();
    if (running != null) {
      Thread.ofPlatform()
          .name(running.name() + "-drain")
          .start(
              () -> {
                try {
                  var ignored = running.shutdown(UNLIMITED);
                } finally {
                  terminated.countDown();
                }
              });
    }
    return this;
  }

  /** Returns the server that this call ends; null if another has, or if it wasn't started. */
  private @Nullable HttpServer beginShutdown() {
    synchronized (lock) {
      if (shutdown) {
        return null;
      }
      shutdown = true;
      if (server == null) {
        terminated.countDown();
      }
      return server;
    }
  }

  @Override
  public Server shutdownNow() {
    HttpServer ignored = beginShutdown();
    HttpServer running;
    synchronized (lock) {
      running = server;
    }
    if (running != null) {
      running.close();
      terminated.countDown();
    }
    return this;
  }

  @Override
  public boolean isShutdown() {
    synchronized (lock) {
      return shutdown;
    }
  }

  @Override
  public boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return terminated.await(timeout, unit);
  }

  @Override
  public void awaitTermination() throws InterruptedException {
    terminated.await();
  }
}
