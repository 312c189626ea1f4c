package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.peregrine.server.BoundServer;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.TcpEndpoint;
import dev.peregrine.server.tls.Tls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What servers with and without TLS have in common. Thread-safe.
 *
 * <pre>
 *   UNBOUND ──bind──▶ BOUND ──start──▶ STARTED
 *      └────────────────┴──────stop──────┴──▶ STOPPED
 * </pre>
 */
final class ServerCore {
  private enum State {
    UNBOUND,
    BOUND,
    STARTED,
    STOPPED
  }

  /** How long the last responses may take to leave, once no exchange is under way. */
  private static final long LAST_BYTES_MILLIS = 1000;

  private static final String HTTP2 = "dev.peregrine.jdk.httpserver.http2";

  final Contexts contexts;
  private final HttpServer api;
  private final Options options = Options.read();
  private final ExchangeCount exchanges = new ExchangeCount();
  private final @Nullable EngineSource engines;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile ProgramExecutor executor = ProgramExecutor.of(null);
  private State state = State.UNBOUND; // this and all below: guarded by this
  private @Nullable InetSocketAddress address;
  private @Nullable BoundServer bound;
  private dev.peregrine.server.@Nullable HttpServer running;

  /**
   * Creates a server that isn't bound yet.
   *
   * @param api the server as the program sees it
   * @param engines creates the TLS engines; null without TLS
   */
  ServerCore(HttpServer api, @Nullable EngineSource engines) {
    this.api = api;
    this.engines = engines;
    this.contexts = new Contexts(options.matchesSegments());
  }

  synchronized void bind(InetSocketAddress wanted, int backlog) throws IOException {
    Objects.requireNonNull(wanted, "address");
    if (state != State.UNBOUND) {
      throw new BindException("the server is bound already, or stopped");
    }
    if (wanted.isUnresolved()) {
      throw new SocketException("unresolved address: " + wanted);
    }
    try {
      bound =
          dev.peregrine.Peregrine.builder()
              .daemon(true) // see keepRunning
              .limits(options.limits())
              .serverName("")
              .endpoint(endpoint(wanted, backlog))
              .handler(
                  new ExchangeStarter(
                      contexts, options, exchanges, () -> executor, engines != null))
              .bind();
    } catch (UncheckedIOException failure) {
      throw bindException(failure);
    }
    address = bound.address();
    state = State.BOUND;
  }

  private Endpoint endpoint(InetSocketAddress wanted, int backlog) {
    TcpEndpoint endpoint =
        Endpoint.tcp(wanted.getAddress().getHostAddress(), wanted.getPort())
            .withBacklog(backlog > 0 ? backlog : Endpoint.BACKLOG_DEFAULT)
            .withHttp2(Boolean.getBoolean(HTTP2));
    return engines == null ? endpoint : endpoint.with(Tls.builder().engines(engines).build());
  }

  private static BindException bindException(UncheckedIOException failure) {
    if (failure.getCause() instanceof BindException same) {
      return same;
    }
    BindException translated = new BindException(failure.getMessage());
    translated.initCause(failure);
    return translated;
  }

  synchronized void start() {
    BoundServer listening = bound;
    if (state != State.BOUND || listening == null) {
      throw new IllegalStateException("the server is " + state + ", not BOUND");
    }
    FirstRequest.prepare();
    dev.peregrine.server.HttpServer started = listening.start();
    running = started;
    state = State.STARTED;
    if (!Thread.currentThread().isDaemon()) {
      keepRunning(started.name());
    }
  }

  /**
   * Keeps the program running until the server is stopped. Started by a daemon thread, as agents
   * do, a server doesn't keep it running.
   */
  private void keepRunning(String name) {
    Thread ignored =
        Thread.ofPlatform()
            .daemon(false)
            .name(name + "-keeper")
            .start(
                () -> {
                  boolean done = false;
                  while (!done) {
                    try {
                      stopped.await();
                      done = true;
                    } catch (InterruptedException ignoredToo) {
                      // only stop ends the server
                    }
                  }
                });
  }

  /**
   * Stops the server, as {@link HttpServer#stop} says. Idle connections are closed at once, and
   * requests that were received by then are served within the delay.
   */
  void stop(int delaySeconds) {
    if (delaySeconds < 0) {
      throw new IllegalArgumentException("the delay is negative: " + delaySeconds);
    }
    BoundServer listening;
    dev.peregrine.server.HttpServer serving;
    synchronized (this) {
      state = State.STOPPED;
      listening = bound;
      serving = running;
    }
    try {
      if (serving == null) {
        if (listening != null) {
          listening.close();
        }
      } else if (delaySeconds == 0) {
        serving.close();
      } else {
        shutdown(serving, Duration.ofSeconds(delaySeconds));
      }
    } finally {
      stopped.countDown();
    }
  }

  /**
   * Lets exchanges end. A client that has sent a half of a request, or of a handshake, isn't waited
   * for, because it has no exchange.
   */
  private void shutdown(dev.peregrine.server.HttpServer serving, Duration delay) {
    Thread closing =
        Thread.ofPlatform()
            .daemon()
            .name(serving.name() + "-stop")
            .start(() -> closeWithoutExchanges(serving));
    serving.shutdown(delay);
    closing.interrupt();
  }

  private void closeWithoutExchanges(dev.peregrine.server.HttpServer serving) {
    try {
      exchanges.awaitNone();
      TimeUnit.MILLISECONDS.sleep(LAST_BYTES_MILLIS); // their responses may still be on the way
      exchanges.awaitNone();
      serving.close();
    } catch (InterruptedException over) {
      // the server has been closed
    }
  }

  synchronized @Nullable InetSocketAddress address() {
    return address;
  }

  synchronized void setExecutor(@Nullable Executor next) {
    requireNotStarted();
    executor = ProgramExecutor.of(next);
  }

  @Nullable Executor executor() {
    return executor.executor();
  }

  /** Throws if the server has been started. */
  synchronized void requireNotStarted() {
    if (running != null) {
      throw new IllegalStateException("the server is started already");
    }
  }

  Context createContext(String path, HttpHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return addContext(path, handler);
  }

  Context createContext(String path) {
    return addContext(path, null);
  }

  private Context addContext(String path, @Nullable HttpHandler handler) {
    Context added = new Context(api, path, handler);
    contexts.add(added);
    return added;
  }
}
