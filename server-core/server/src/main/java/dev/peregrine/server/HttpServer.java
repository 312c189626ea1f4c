package dev.peregrine.server;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.observe.DrainResult;
import dev.peregrine.server.start.Bootstrap;
import dev.peregrine.server.start.RunningServer;
import dev.peregrine.server.start.ServerHandle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A running HTTP server.
 *
 * <pre>{@code
 * HttpServer server =
 *     HttpServer.builder()
 *         .port(8080)
 *         .handler((request, response) -> response.text("Hello"))
 *         .start();
 * }</pre>
 *
 * <p>All methods may be called from any thread, except that {@link #drain} and {@link #shutdown}
 * must not be called on an event loop. Event-loop threads are not daemon threads: the program runs
 * until {@link #close}, {@link #drain} or {@link #shutdown}.
 */
@SuppressWarnings("exports") // what the artifacts of Peregrine see of it
public final class HttpServer extends ServerHandle implements AutoCloseable {
  private final List<SocketAddress> addresses;
  private final RunningServer server;

  private HttpServer(
      Bootstrap parts, @Nullable BiConsumer<? super HttpServer, ? super Throwable> fatalHook) {
    addresses = parts.addresses();
    server = RunningServer.start(parts, fatalHook == null ? null : new OnFatal(this, fatalHook));
  }

  /** Starts a server that listens. If that fails, it no longer listens. */
  static HttpServer start(
      Bootstrap parts,
      @Nullable BiConsumer<? super HttpServer, ? super Throwable> fatalHook,
      @Nullable Health health) {
    HttpServer started = new HttpServer(parts, fatalHook);
    started.server.complete();
    if (health != null) {
      health.attach(started.server);
    }
    return started;
  }

  @Override
  protected RunningServer running() {
    return server;
  }

  /** Creates a builder with default options. */
  public static HttpServerBuilder builder() {
    return new HttpServerBuilder();
  }

  /** Returns the name that the server's threads begin with; see {@link HttpServerBuilder#name}. */
  public String name() {
    return server.name();
  }

  /**
   * Returns the addresses that the server listens on, in the order of its endpoints: an {@link
   * InetSocketAddress} with the actual port, or a {@link java.net.UnixDomainSocketAddress}. An
   * endpoint of several inherited sockets has several addresses.
   */
  public List<SocketAddress> addresses() {
    return addresses;
  }

  /**
   * Returns the first TCP address that the server listens on, with the actual port.
   *
   * @throws IllegalStateException if it listens on Unix domain sockets only
   */
  public InetSocketAddress address() {
    return firstTcp(addresses);
  }

  static InetSocketAddress firstTcp(List<SocketAddress> addresses) {
    for (SocketAddress address : addresses) {
      if (address instanceof InetSocketAddress tcp) {
        return tcp;
      }
    }
    throw new IllegalStateException("the server listens on no TCP port");
  }

  /**
   * Returns the port of {@link #address}.
   *
   * @throws IllegalStateException if the server listens on Unix domain sockets only
   */
  public int port() {
    return address().getPort();
  }

  /**
   * Returns how request heads are scanned at present. By default a server begins without vectors.
   * It switches to them after some two million heads, when their code has been compiled and was the
   * faster one for the heads that came then.
   */
  public ScannerKind scanner() {
    return server.scanner();
  }

  /**
   * Returns how socket I/O is done at present: {@link TransportKind#NIO} or {@link
   * TransportKind#EPOLL}. With {@link TransportKind#AUTO} it may change some seconds after the
   * start.
   */
  public TransportKind transport() {
    return TransportKind.valueOf(server.transport().toUpperCase(Locale.ROOT));
  }

  /** Returns the number of open connections. Each counts from the moment the server accepts it. */
  public int connectionCount() {
    return server.workers().stream()
        .mapToInt(worker -> worker.connections.count().reserved())
        .sum();
  }

  /** Returns the direct memory that connections hold at this moment, in bytes. */
  public long bufferBytesInUse() {
    return server.workers().stream()
        .mapToLong(worker -> worker.loop.bufferPool().bytesInUse())
        .sum();
  }

  /**
   * Returns the direct memory that the server has taken from the system for its buffers, in bytes.
   * Unused memory is returned to the system within seconds; up to 1 MiB stays reserved for each
   * event loop.
   */
  public long bufferBytesReserved() {
    return server.workers().stream()
        .mapToLong(worker -> worker.loop.bufferPool().bytesReserved())
        .sum();
  }

  /**
   * Ends the server without losing requests, behind a balancer that first has to learn that it
   * ends:
   *
   * <ol>
   *   <li>For the time of {@code lameDuck}, {@link Health#readiness} answers 503, and connections
   *       are accepted and served as before. Responses of HTTP/1 contain {@code Connection: close}.
   *       Connections of HTTP/2 that are open get GOAWAY; those that are opened meanwhile get it
   *       when this time is over. Event streams, WebSockets and other long responses continue, so
   *       that their clients don't come back to this server.
   *   <li>Then the server stops listening. Connections that the system has completed by then are
   *       served. Handlers whose responses have no natural end are notified ({@link
   *       dev.peregrine.http.Response#onShutdown}). A connection without a request closes when no
   *       request has arrived for {@code ServerLimits.shutdownIdleTime}, at most a quarter of
   *       {@code patience}.
   *   <li>Connections that are still open after the time of {@code patience} are closed. One line
   *       of the log counts what this cuts short, and so does the result.
   * </ol>
   *
   * <p>Blocks until then, so it must not be called on an event loop, and a blocking handler that
   * calls it waits for its own request. If the thread is interrupted, or {@link #close} is called
   * meanwhile, the server is closed at once. Of several calls, the one whose time for a step is
   * over first takes it.
   *
   * @param lameDuck time until no connection is accepted any more; zero or less for none
   * @param patience time for the responses to requests under way, after that
   * @return what was cut short; the same for all calls
   * @throws IllegalStateException on an event loop of this server
   */
  public DrainResult drain(Duration lameDuck, Duration patience) {
    return server.end().drain(lameDuck, patience);
  }

  /**
   * Ends the server without losing requests, if no balancer has to learn of it before: {@link
   * #drain} without its first step.
   *
   * @param patience time for the responses to requests under way
   * @return what was cut short
   * @throws IllegalStateException on an event loop of this server
   */
  public DrainResult shutdown(Duration patience) {
    return server.end().drain(Duration.ZERO, patience);
  }

  /**
   * Has the server {@link #drain} when the JVM exits: at SIGTERM, SIGINT (Ctrl-C) and {@code
   * System.exit}. The JVM waits for the drain, and runs its other shutdown hooks at the same time,
   * so what handlers need must not be closed by one of them. A later call changes the times.
   * Removed when the server is closed otherwise.
   *
   * <p>A handler should not call {@code System.exit}, because that waits for the drain, and the
   * drain for the handler's response. If a handler on an event loop does, the drain doesn't wait
   * for the connections of that loop. If a blocking handler does, the drain ends after {@code
   * patience}.
   *
   * <p>{@code java.util.logging} drops lines at the exit, because its own hook closes it.
   *
   * @throws IllegalStateException if the JVM exits already
   */
  public void drainOnExit(Duration lameDuck, Duration patience) {
    server.drainOnExit(Objects.requireNonNull(lameDuck), Objects.requireNonNull(patience));
  }

  /**
   * Ends the server at once: all open connections are closed. Waits until the event loops have
   * ended, for five seconds at most, even if the thread is interrupted; returns at once on one of
   * them.
   */
  @Override
  public void close() {
    server.close();
  }

  /** Passes this handle to the program's hook. */
  private record OnFatal(HttpServer server, BiConsumer<? super HttpServer, ? super Throwable> hook)
      implements Consumer<Throwable> {
    @Override
    public void accept(Throwable cause) {
      hook.accept(server, cause);
    }
  }
}
