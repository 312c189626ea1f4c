package dev.peregrine.server;

import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.parser.FieldSyntax;
import dev.peregrine.parser.Leniency;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.EventLoop;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
 * <p>All methods are callable from any thread, {@link #shutdown} but for the event loops' own. The
 * event loops are no daemon threads: the program runs on until {@link #close} or {@link #shutdown}.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");
  private static final long DRAIN_POLL_MILLIS = 5;
  private static final long STOP_ACCEPTING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ServerOptions options;
  private final TransportKind transportKind;
  private final Transport transport;
  private volatile RequestParser parser;
  private final List<Worker> workers = new ArrayList<>();
  private final List<Acceptor> acceptors = new ArrayList<>();
  private final InetSocketAddress address;
  private final LoopWatchdog watchdog;
  private boolean accepting = true; // this and closed: under the lock of this
  private boolean closed;

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
              "can't listen on host "
                  + options.address().getHostString()
                  + ", port "
                  + options.address().getPort()
                  + ": "
                  + failure.getMessage(),
              (IOException) failure);
    }
    workers.forEach(worker -> worker.loop.start());
    watchdog =
        new LoopWatchdog(
            options.name() + "-watchdog",
            workers.stream().map(worker -> worker.loop).toList(),
            options.limits().loopBlockedTime().toNanos());
    Transports.log(transport, options.transport());
    String vectorProblem = ScannerKind.vectorProblem();
    if (scanner == null && vectorProblem == null) {
      warmVectorsUp();
    } else if (scanner == null) {
      LOGGER.log(Level.INFO, "request heads are scanned without vectors: " + vectorProblem);
    }
  }

  private void warmVectorsUp() {
    RequestParser vector = options.parser(ScannerKind.VECTOR);
    ScannerWarmUp.start(
        options.name() + "-warm-up",
        options.limits().parser(),
        vector,
        this::isClosed,
        () -> {
          parser = vector;
          workers.forEach(worker -> worker.parseWith(vector));
        });
  }

  private synchronized boolean isClosed() {
    return closed;
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

  /** Number of open connections. */
  public int connections() {
    return workers.stream().mapToInt(worker -> worker.connections.size()).sum();
  }

  /** Direct memory that connections hold at this moment, in bytes. */
  public long bufferBytesInUse() {
    return workers.stream().mapToLong(worker -> worker.loop.arena().bytesInUse()).sum();
  }

  /**
   * Ends the server without losing requests: accepts no more connections, closes idle ones, answers
   * what is under way with {@code Connection: close}, and closes what is left when the time is
   * over.
   *
   * <p>Blocks until then, and with it the handler of an event loop that calls it: none of that
   * loop's requests could be answered meanwhile. If the thread is interrupted, the server is closed
   * at once.
   *
   * @param patience how long requests may take to be answered
   * @return whether all of them were
   */
  public boolean shutdown(Duration patience) {
    CountDownLatch told = new CountDownLatch(workers.size());
    for (Worker worker : workers) {
      worker.loop.execute(
          () -> {
            worker.drain();
            told.countDown();
          });
    }
    await(told, workers.stream().map(worker -> worker.loop).toList(), patience.toNanos());
    stopAccepting();
    long end = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    while (connections() > 0 && System.nanoTime() - end < 0 && !interrupted) {
      try {
        TimeUnit.MILLISECONDS.sleep(DRAIN_POLL_MILLIS);
      } catch (InterruptedException stop) {
        interrupted = true;
      }
    }
    boolean drained = connections() == 0;
    close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return drained;
  }

  /** Ends the server at once: open connections are closed, whatever they are doing. */
  @Override
  public void close() {
    stopAccepting();
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    watchdog.close();
    workers.forEach(Worker::stop);
    try {
      for (Worker worker : workers) {
        if (!worker.loop.isCurrent()) {
          worker.loop.join();
        }
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private void stopAccepting() {
    synchronized (this) {
      if (!accepting) {
        return;
      }
      accepting = false;
    }
    CountDownLatch done = new CountDownLatch(acceptors.size());
    for (Acceptor acceptor : acceptors) {
      acceptor
          .loop()
          .execute(
              () -> {
                acceptor.close();
                done.countDown();
              });
    }
    await(done, acceptors.stream().map(Acceptor::loop).toList(), STOP_ACCEPTING_NANOS);
  }

  /**
   * Waits for what was handed to the loops, unless it is one of them that waits, or they have
   * ended.
   */
  private void await(CountDownLatch done, List<EventLoop> loops, long nanosMax) {
    if (isClosed() || loops.stream().anyMatch(EventLoop::isCurrent)) {
      return;
    }
    try {
      // A loop that is too busy to be told in time gets to it later.
      boolean ignored = done.await(nanosMax, TimeUnit.NANOSECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
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
                  ? socket -> admit(worker, socket)
                  : socket -> spread(worker, socket));
      acceptors.add(acceptor);
      acceptor.open();
    }
    return bound;
  }

  /** Passes a connection to the loop that has the fewest. */
  private void spread(Worker acceptedBy, StreamSocket socket) {
    Worker target = acceptedBy;
    for (Worker worker : workers) {
      if (worker.connections.size() < target.connections.size()) {
        target = worker;
      }
    }
    if (target == acceptedBy) {
      admit(target, socket);
    } else {
      Worker chosen = target;
      chosen.loop.execute(
          new LoopTask() {
            @Override
            protected void run() {
              admit(chosen, socket);
            }

            @Override
            protected void onRejected() {
              Worker.drop(socket);
            }
          });
    }
  }

  private void admit(Worker worker, StreamSocket socket) {
    int most = options.limits().connectionsMax();
    if (most > 0 && workers.stream().mapToInt(Worker::admitted).sum() >= most) {
      worker.refuse(socket, most);
    } else {
      worker.open(socket);
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

    /** What clients can make grow or last; {@link ServerLimits#DEFAULT} by default. */
    public Builder limits(ServerLimits values) {
      limits = Objects.requireNonNull(values);
      return this;
    }

    /** What writes and reads JSON; nothing by default. */
    public Builder json(JsonCodec codec) {
      json = Objects.requireNonNull(codec);
      return this;
    }

    /** What answers the requests. */
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
          json);
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
