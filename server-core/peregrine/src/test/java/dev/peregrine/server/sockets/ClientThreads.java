package dev.peregrine.server.sockets;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.turn.CarryingLoop;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** The threads that use sockets of clients: those of handlers that a loop carries, and others. */
final class ClientThreads {
  /** The kinds of threads. */
  enum Kind {
    CARRIED,
    VIRTUAL,
    PLATFORM;

    boolean isVirtual() {
      return this != PLATFORM;
    }
  }

  /** Work on such a thread that may fail. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  private static final long SECONDS_MAX = 120;

  private final Servers servers;
  private final BlockingQueue<Runnable> handled = new LinkedBlockingQueue<>();
  final HttpServer server;

  ClientThreads(Servers servers) {
    this(servers, options -> {});
  }

  ClientThreads(Servers servers, Consumer<HttpServerBuilder> more) {
    assumeTrue(CarryingLoop.isKnown(), "event loops don't carry blocking handlers");
    this.servers = servers;
    server =
        servers.start(
            Handlers.blocking(this::handle),
            options -> {
              options
                  .limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build())
                  .with(LoopSockets.create());
              more.accept(options);
            });
  }

  private void handle(Request request, Response response) throws InterruptedException {
    handled.take().run();
    response.text("done");
  }

  /** Creates a socket that isn't connected, and waits in loops. */
  static Socket socket() throws IOException {
    Socket socket = LoopSocketFactory.getDefault().createSocket();
    Assertions.assertThat(socket.getClass()).isNotEqualTo(Socket.class);
    return socket;
  }

  /** Begins work. */
  <T extends @Nullable Object> CompletableFuture<T> submit(Kind kind, Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    start(
        kind,
        () -> {
          try {
            result.complete(work.call());
          } catch (Throwable failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  /** Does work, and returns its result. */
  <T extends @Nullable Object> T call(Kind kind, Callable<T> work) throws Exception {
    return result(submit(kind, work));
  }

  /** Does work. */
  void run(Kind kind, Work work) throws Exception {
    Void ignored =
        call(
            kind,
            () -> {
              work.run();
              return null;
            });
  }

  private void start(Kind kind, Runnable task) {
    switch (kind) {
      case PLATFORM -> Thread.ofPlatform().daemon().start(task);
      case VIRTUAL -> Thread.ofVirtual().start(task);
      case CARRIED -> {
        handled.add(task);
        var ignored = servers.connect(server).get("/");
      }
    }
  }

  static <T extends @Nullable Object> T result(CompletableFuture<T> future) throws Exception {
    return future.get(SECONDS_MAX, TimeUnit.SECONDS);
  }

  /** Awaits a failure and returns a check of it. */
  static AbstractThrowableAssert<?, ? extends Throwable> assertFailure(
      CompletableFuture<?> future) {
    return Assertions.assertThatThrownBy(() -> result(future)).cause();
  }
}
