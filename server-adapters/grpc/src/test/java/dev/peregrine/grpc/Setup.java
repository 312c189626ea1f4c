package dev.peregrine.grpc;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.tls.Tls;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;

/** How services are served in a test. */
enum Setup {
  NIO_LOOP(TransportKind.NIO, false, GrpcServices.ON_LOOP),
  NIO_CARRIED(TransportKind.NIO, false, GrpcServices.VIRTUAL_THREADS),
  NIO_THREADS_TLS(TransportKind.NIO, true, Setup::startThread),
  EPOLL_LOOP_TLS(TransportKind.EPOLL, true, GrpcServices.ON_LOOP),
  EPOLL_CARRIED_TLS(TransportKind.EPOLL, true, GrpcServices.VIRTUAL_THREADS),
  EPOLL_THREADS(TransportKind.EPOLL, false, Setup::startThread);

  private static final int WINDOW_BYTES = 1 << 20; // the default at first

  private final TransportKind transport;
  private final boolean tls;

  @SuppressWarnings("ImmutableEnumChecker") // those here have no state
  private final Executor executor;

  Setup(TransportKind transport, boolean tls, Executor executor) {
    this.transport = transport;
    this.tls = tls;
    this.executor = executor;
  }

  /** Runs a task on a thread of its own, by the JDK's scheduler. */
  private static void startThread(Runnable task) {
    Thread ignored = Thread.startVirtualThread(task);
  }

  Executor executor() {
    return executor;
  }

  boolean isSecure() {
    return tls;
  }

  boolean isOnLoop() {
    return GrpcServices.ON_LOOP.equals(executor);
  }

  /** Returns true if the event loop carries the threads of listeners. */
  boolean isCarried() {
    return GrpcServices.VIRTUAL_THREADS.equals(executor);
  }

  /** Starts a server of services beside a page. */
  HttpServer start(GrpcServices services) {
    return start(services, ServerLimits.DEFAULT);
  }

  /** Starts a server with limits of services beside a page. */
  HttpServer start(GrpcServices services, ServerLimits limits) {
    var builder =
        Peregrine.builder()
            .transport(transport)
            .limits(limits)
            .loops(1)
            .daemon(true)
            .port(0)
            .handler(services.beside((request, response) -> response.text("a page")));
    return (tls ? builder.with(Tls.selfSigned()) : builder).start();
  }

  /**
   * Connects a client, whose callbacks run on threads of its own, and whose windows have a size
   * that doesn't depend on its speed.
   */
  ManagedChannel connect(HttpServer server) throws SSLException {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress("localhost", server.port()).flowControlWindow(WINDOW_BYTES);
    if (!tls) {
      return builder.usePlaintext().build();
    }
    return builder
        .sslContext(
            GrpcSslContexts.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE).build())
        .build();
  }
}
