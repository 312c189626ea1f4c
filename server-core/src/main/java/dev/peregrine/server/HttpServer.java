package dev.peregrine.server;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.jfr.FlightEvents;
import dev.peregrine.server.loop.LoopWatchdog;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
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
 * <p>All methods may be called from any thread, except that {@link #shutdown} must not be called on
 * an event loop. Event-loop threads are not daemon threads: the program runs until {@link #close}
 * or {@link #shutdown}.
 */
public final class HttpServer implements AutoCloseable {
  private final String name;
  private final TransportKind transport;
  private final List<SocketAddress> addresses;
  private final List<Worker> workers;
  private final @Nullable BiConsumer<? super HttpServer, ? super Throwable> fatalHook;
  private final ServerEnd end;
  private final HttpProtocols protocols;

  /** Creates the handle of a server whose loops run. */
  HttpServer(Bootstrap parts) {
    this.name = parts.name;
    this.transport = parts.transportKind;
    this.addresses = List.copyOf(parts.addresses);
    this.workers = List.copyOf(parts.workers);
    this.fatalHook = parts.fatalHook;
    this.protocols = parts.protocols;
    FlightEvents events = parts.events();
    LoopWatchdog watchdog =
        new LoopWatchdog(
            name + "-watchdog",
            workers.stream().map(worker -> worker.loop).toList(),
            parts.limits.loopBlockedTime().toNanos(),
            () -> {
              FirstUse.prepare();
              events.attach();
            },
            events::onBlocked,
            this::onFatal);
    this.end =
        new ServerEnd(
            workers,
            List.copyOf(parts.acceptors),
            parts.limits.shutdownIdleTime().toNanos(),
            () -> {
              watchdog.close();
              events.close();
              protocols.close();
            });
  }

  /**
   * Calls the program's hook because an event loop can't do its work any more. On the watchdog's
   * thread, which calls again if this throws.
   */
  private void onFatal(Throwable cause) {
    Log.add(Level.ERROR, Incident.LOOP_FATAL, cause);
    BiConsumer<? super HttpServer, ? super Throwable> hook = fatalHook;
    if (hook == null) {
      close();
      return;
    }
    try {
      hook.accept(this, cause);
    } catch (Throwable failure) {
      Log.add(Level.ERROR, Incident.ON_FATAL_FAILED, failure);
      close();
    }
  }

  /** Switches every loop to another parser. */
  void parseWith(RequestParser parser) {
    protocols.parseWith(parser);
  }

  boolean isClosed() {
    return end.isClosed();
  }

  /** Creates a builder with default options. */
  public static HttpServerBuilder builder() {
    return new HttpServerBuilder();
  }

  /** Returns the name that the server's threads begin with; see {@link HttpServerBuilder#name}. */
  public String name() {
    return name;
  }

  /**
   * Returns the addresses that the server listens on, in the order of its endpoints: an {@link
   * InetSocketAddress} with the actual port, or a {@link java.net.UnixDomainSocketAddress}.
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
   * Returns how request heads are scanned at present. By default a server begins without vectors
   * and switches to them once their code has been compiled, about a second after its start.
   */
  public ScannerKind scanner() {
    return protocols.scanner();
  }

  /** Returns how socket I/O is done: {@link TransportKind#NIO} or {@link TransportKind#EPOLL}. */
  public TransportKind transport() {
    return transport;
  }

  /** Returns the number of open connections. Each counts from the moment the server accepts it. */
  public int connectionCount() {
    return workers.stream().mapToInt(worker -> worker.connections.reserved()).sum();
  }

  /** Returns true once the port is closed and responses end their connections. */
  boolean isDraining() {
    return end.isDraining();
  }

  /** Returns the direct memory that connections hold at this moment, in bytes. */
  public long bufferBytesInUse() {
    return workers.stream().mapToLong(worker -> worker.loop.bufferPool().bytesInUse()).sum();
  }

  /**
   * Returns the direct memory that the server has taken from the system for its buffers, in bytes.
   * Memory that is no longer used is returned to the system within seconds; up to 1 MiB stays
   * reserved for each event loop.
   */
  public long bufferBytesReserved() {
    return workers.stream().mapToLong(worker -> worker.loop.bufferPool().bytesReserved()).sum();
  }

  /**
   * Ends the server without losing requests. The server first stops listening; connections that the
   * system has completed by then are served. Responses contain {@code Connection: close} from then
   * on. A connection without a request closes when no request has arrived for {@code
   * ServerLimits.shutdownIdleTime}. Connections that are still open when the time is over are
   * closed. One line of the log counts the requests, responses and upgraded connections that this
   * cut short.
   *
   * <p>Blocks until then, so it must not be called on an event loop, and a blocking handler that
   * calls it waits for its own request. If the thread is interrupted, or {@link #close} is called
   * meanwhile, the server is closed at once. Of several calls, the one whose time is over first
   * closes the server.
   *
   * @param patience time for the responses to requests under way
   * @return true if nothing was cut short
   * @throws IllegalStateException on an event loop of this server
   */
  public boolean shutdown(Duration patience) {
    return end.shutdown(patience);
  }

  /**
   * Ends the server at once: all open connections are closed. Waits until the event loops have
   * ended, for five seconds at most; returns at once on one of them.
   */
  @Override
  public void close() {
    boolean ignored = end.close();
  }
}
