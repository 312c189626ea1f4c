package dev.peregrine.server;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.Incident;
import dev.peregrine.server.loop.Listener;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.LoopWatchdog;
import dev.peregrine.server.loop.StreamSocket;
import dev.peregrine.server.loop.Transport;
import dev.peregrine.server.memory.Arena;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
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
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");

  private final ServerOptions options;
  private final TransportKind transportKind;
  private final Transport transport;
  private volatile RequestParser parser;
  private final List<Worker> workers = new ArrayList<>();
  private final List<Acceptor> acceptors = new ArrayList<>();
  private final InetSocketAddress address;
  private final LoopWatchdog watchdog;
  private final ServerEnd end;

  private HttpServer(ServerOptions options, HttpHandler handler) {
    this.options = options;
    // beside the linking of the transport, which takes as long
    Thread.ofPlatform().daemon().name(options.name() + "-start").start(Arena::prepare);
    this.transportKind = Transports.resolve(options.transport());
    this.transport = Transports.open(transportKind);
    ScannerKind scanner = options.scanner();
    this.parser = options.parser(scanner == null ? ScannerKind.SWAR : scanner);
    try {
      for (int i = 0; i < options.loops(); i++) {
        workers.add(new Worker(options.name() + "-loop-" + i, transport, parser, handler, options));
      }
      address = listen();
    } catch (IOException | RuntimeException failure) {
      workers.forEach(Worker::abandon);
      throw failure instanceof RuntimeException unchecked
          ? unchecked
          : new UncheckedIOException(
              "can't listen on " + options.place() + ": " + failure.getMessage(),
              (IOException) failure);
    }
    workers.forEach(worker -> worker.loop.start());
    watchdog =
        new LoopWatchdog(
            options.name() + "-watchdog",
            workers.stream().map(worker -> worker.loop).toList(),
            options.limits().loopBlockedTime().toNanos(),
            FirstUse::prepare,
            this::onFatal);
    end =
        new ServerEnd(
            workers, acceptors, options.limits().shutdownIdleTime().toNanos(), watchdog::close);
    Transports.log(transport, options.transport());
    String vectorProblem = ScannerKind.vectorProblem();
    if (scanner == null && vectorProblem == null) {
      warmVectorsUp();
    } else if (scanner == null) {
      LOGGER.log(Level.INFO, "request heads are scanned without vectors: " + vectorProblem);
    }
  }

  /** An event loop can't do its work any more: on the watchdog's thread, whose boundary retries. */
  private void onFatal(Throwable cause) {
    BoundedLog.log(Level.ERROR, Incident.LOOP_FATAL, cause);
    BiConsumer<? super HttpServer, ? super Throwable> hook = options.onFatal();
    if (hook == null) {
      close();
      return;
    }
    try {
      hook.accept(this, cause);
    } catch (Throwable failure) {
      BoundedLog.log(Level.ERROR, Incident.ON_FATAL_FAILED, failure);
      close();
    }
  }

  private void warmVectorsUp() {
    RequestParser vector = options.parser(ScannerKind.VECTOR);
    ScannerWarmUp.start(
        options.name() + "-warm-up",
        options.limits().parser(),
        vector,
        end::isClosed,
        () -> {
          parser = vector;
          workers.forEach(worker -> worker.parseWith(vector));
        });
  }

  /** Options for a server that isn't there yet. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns the name that the server's threads begin with; see {@link Builder#name}. */
  public String name() {
    return options.name();
  }

  /** The address that the server listens on, with the actual port. */
  public InetSocketAddress address() {
    return address;
  }

  /** The port that the server listens on. */
  public int port() {
    return address.getPort();
  }

  /**
   * How request heads are scanned at present. Unless it was chosen, a server begins without vectors
   * and goes over to them once their code has been compiled, about a second after its start.
   */
  public ScannerKind scanner() {
    return parser.scanner();
  }

  /** How socket I/O is done: {@link TransportKind#NIO} or {@link TransportKind#EPOLL}. */
  public TransportKind transport() {
    return transportKind;
  }

  /** Number of open connections; each counts from the moment the server accepts it. */
  public int connections() {
    return workers.stream().mapToInt(worker -> worker.connections.reserved()).sum();
  }

  /** Returns true once the port is closed and responses end their connections. */
  boolean isDraining() {
    return end.isDraining();
  }

  /** Direct memory that connections hold at this moment, in bytes. */
  public long bufferBytesInUse() {
    return workers.stream().mapToLong(worker -> worker.loop.arena().bytesInUse()).sum();
  }

  /**
   * Ends the server without losing requests. The server first stops listening; connections that the
   * system has completed by then are served. Responses say {@code Connection: close} from then on.
   * A connection without a request closes when none has come for {@code
   * ServerLimits.shutdownIdleTime}. What is left when the time is over is closed. One line of the
   * log counts what that cut short.
   *
   * <p>Blocks until then, so it must not be called on an event loop, and a blocking handler that
   * calls it waits for its own request. If the thread is interrupted, or {@link #close} is called
   * meanwhile, the server is closed at once. Of several calls, the one whose time is over first
   * closes the server.
   *
   * @param patience how long requests may take to be answered
   * @return whether nothing was cut short
   * @throws IllegalStateException on an event loop of this server
   */
  public boolean shutdown(Duration patience) {
    return end.shutdown(patience);
  }

  /**
   * Ends the server at once: open connections are closed, whatever they are doing. Waits until the
   * event loops have ended, for five seconds at most, except on one of them.
   */
  @Override
  public void close() {
    boolean ignored = end.close();
  }

  private InetSocketAddress listen() throws IOException {
    int listeners = options.reusePort() ? workers.size() : 1;
    InetSocketAddress bound = options.address();
    for (int i = 0; i < listeners; i++) {
      Listener listener = transport.listen(bound, options.backlog(), options.reusePort());
      bound = (InetSocketAddress) listener.localAddress();
      Worker worker = workers.get(i);
      Acceptor acceptor =
          new Acceptor(
              worker.loop,
              listener,
              options.reusePort()
                  ? socket -> pass(socket, worker, worker)
                  : socket -> spread(worker, socket));
      acceptors.add(acceptor);
      worker.accept(acceptor);
    }
    return bound;
  }

  /** Passes a connection to the loop that has the fewest. */
  private void spread(Worker acceptedBy, StreamSocket socket) {
    Worker target = acceptedBy;
    for (Worker worker : workers) {
      if (worker.connections.reserved() < target.connections.reserved()) {
        target = worker;
      }
    }
    pass(socket, acceptedBy, target);
  }

  /** Counts a connection and lets its loop open or refuse it. */
  private void pass(StreamSocket socket, Worker acceptedBy, Worker target) {
    // Before it is counted, since making it may fail.
    Admission admission = target == acceptedBy ? null : new Admission(socket, target);
    int most = options.limits().connectionsMax();
    target.connections.reserve();
    boolean refused = most > 0 && admitted() > most;
    if (refused) {
      target.reserveRefusal();
    }
    if (admission != null) {
      admission.connectionsMax = refused ? most : 0;
      target.loop.execute(admission);
    } else if (refused) {
      target.refuse(socket, most);
    } else {
      target.open(socket);
    }
  }

  private int admitted() {
    int sum = 0;
    for (Worker worker : workers) {
      sum += worker.admitted();
    }
    return sum;
  }

  /** A connection on its way to its loop. */
  private static final class Admission extends LoopTask {
    private final StreamSocket socket;
    private final Worker target;
    private int connectionsMax; // 0 if it isn't refused

    Admission(StreamSocket socket, Worker target) {
      this.socket = socket;
      this.target = target;
    }

    @Override
    protected void run() {
      if (connectionsMax > 0) {
        target.refuse(socket, connectionsMax);
      } else {
        target.open(socket);
      }
    }

    @Override
    protected void onRejected() {
      if (connectionsMax > 0) {
        target.discardRefused(socket);
      } else {
        target.discard(socket);
      }
    }
  }

  /**
   * Sets a server up. What is out of its range throws {@link IllegalArgumentException}, which names
   * it. Not thread-safe.
   */
  public static final class Builder {
    private static final int PORT_MAX = 0xFFFF;
    private static final int LOOPS_MAX = 1024;
    private static final Pattern NAME = Pattern.compile("[\\x21-\\x7E]{1,64}");

    /** Servers of this process that were started without a name. */
    private static final AtomicInteger UNNAMED = new AtomicInteger();

    private @Nullable String name;
    private String host = "127.0.0.1";
    private int port;
    private int loops = Runtime.getRuntime().availableProcessors();
    private int backlog = 1024;
    private boolean reusePort;
    private TransportKind transport = TransportKind.AUTO;
    private @Nullable ScannerKind scanner;
    private final Set<Leniency> leniencies = EnumSet.noneOf(Leniency.class);
    private String serverName = "Peregrine";
    private ServerLimits limits = ServerLimits.DEFAULT;
    private @Nullable JsonCodec json;
    private @Nullable BiConsumer<? super HttpServer, ? super Throwable> onFatal;
    private ErrorRenderer errors = ErrorRenderer.PLAIN;
    private @Nullable HttpHandler handler;

    private Builder() {}

    /**
     * Sets the name that the server's threads begin with, in thread dumps and in the log: {@code
     * NAME-loop-0}, {@code NAME-watchdog}. Up to 64 visible ASCII characters. By default {@code
     * peregrine-1} for the first server of the process, {@code peregrine-2} for the next.
     */
    public Builder name(String prefix) {
      if (!NAME.matcher(prefix).matches()) {
        throw new IllegalArgumentException("name is not 1 to 64 visible ASCII characters");
      }
      name = prefix;
      return this;
    }

    /**
     * The address to listen on; {@code 127.0.0.1} by default, so that nothing is served to the
     * network that isn't meant to be. {@code 0.0.0.0} or {@code ::} listens everywhere.
     */
    public Builder host(String name) {
      host = Objects.requireNonNull(name);
      return this;
    }

    /** The port to listen on, 0 to 65535; 0, the default, takes a free one. */
    public Builder port(int number) {
      port = inRange("port", number, 0, PORT_MAX);
      return this;
    }

    /** Number of event loops, 1 to 1024; one per available processor by default. */
    public Builder loops(int count) {
      loops = inRange("loops", count, 1, LOOPS_MAX);
      return this;
    }

    /** Connections that the system holds before they are accepted; 1024 by default. */
    public Builder backlog(int count) {
      backlog = inRange("backlog", count, 1, Integer.MAX_VALUE);
      return this;
    }

    /**
     * Whether every loop listens for itself (SO_REUSEPORT, where the platform has it), instead of
     * one that accepts for all. Off by default: with it, another process of the same user can
     * listen on the same port unnoticed.
     */
    public Builder reusePort(boolean on) {
      reusePort = on;
      return this;
    }

    /** How socket I/O is done; by default the fastest way that works here. */
    public Builder transport(TransportKind kind) {
      transport = Objects.requireNonNull(kind);
      return this;
    }

    /** How request heads are scanned; by default the fastest way that works here. */
    public Builder scanner(ScannerKind kind) {
      scanner = Objects.requireNonNull(kind);
      return this;
    }

    /**
     * Accepts violations that are refused otherwise; none by default. Each is one that some clients
     * are known to commit, and each weakens a defence: see {@link Leniency}.
     */
    public Builder lenient(Leniency... violations) {
      leniencies.addAll(List.of(violations));
      return this;
    }

    /** Value of the Server field; {@code Peregrine} by default, empty for none. */
    public Builder serverName(String name) {
      if (!FieldSyntax.isFieldValue(name)) {
        throw new IllegalArgumentException("serverName is not a field value");
      }
      serverName = name;
      return this;
    }

    /** Sets the bounds of what clients can cause; {@link ServerLimits#DEFAULT} by default. */
    public Builder limits(ServerLimits values) {
      limits = Objects.requireNonNull(values);
      return this;
    }

    /** Sets the codec that writes and reads JSON; none by default. */
    public Builder json(JsonCodec codec) {
      json = Objects.requireNonNull(codec);
      return this;
    }

    /**
     * Takes over when an event loop can't do its work any more, so that the process must not look
     * healthy: its listening socket is lost, or waiting for sockets, or accepting, has only failed
     * for 30 seconds. A failure that passes, such as a heap that is full for a while, is none: the
     * loops log it and continue.
     *
     * <p>By default, and if this throws, the server logs the cause and closes, so that its port
     * refuses connections. A program with nothing else to do may rather exit, to be started anew:
     *
     * <pre>{@code
     * builder.onFatal((server, cause) -> Runtime.getRuntime().halt(1));
     * }</pre>
     *
     * @param hook called once, on a thread of the server's that is no event loop; may close the
     *     server
     */
    public Builder onFatal(BiConsumer<? super HttpServer, ? super Throwable> hook) {
      onFatal = Objects.requireNonNull(hook);
      return this;
    }

    /** Sets the renderer of error responses; {@link ErrorRenderer#PLAIN} by default. */
    public Builder errors(ErrorRenderer renderer) {
      errors = Objects.requireNonNull(renderer);
      return this;
    }

    /** Sets the handler of all requests; required. */
    public Builder handler(HttpHandler answering) {
      handler = Objects.requireNonNull(answering);
      return this;
    }

    /**
     * Starts the server; on return it accepts connections.
     *
     * @throws IllegalStateException if no handler was set
     * @throws IllegalArgumentException if the host is unknown
     * @throws UnsupportedOperationException if a transport was asked for that can't be used here
     * @throws UncheckedIOException if the port can't be listened on
     */
    public HttpServer start() {
      HttpHandler answering = handler;
      if (answering == null) {
        throw new IllegalStateException("handler is not set");
      }
      return new HttpServer(options(), answering);
    }

    ServerOptions options() {
      InetSocketAddress address = new InetSocketAddress(host, port);
      if (address.isUnresolved()) {
        throw new IllegalArgumentException("host is unknown: " + host);
      }
      return new ServerOptions(
          name == null ? "peregrine-" + UNNAMED.incrementAndGet() : name,
          address,
          loops,
          backlog,
          reusePort,
          transport,
          scanner,
          Set.copyOf(leniencies),
          serverName,
          limits,
          json,
          onFatal,
          errors);
    }

    private static int inRange(String option, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            option + " is " + value + ", but must be " + least + " to " + most);
      }
      return value;
    }
  }
}
