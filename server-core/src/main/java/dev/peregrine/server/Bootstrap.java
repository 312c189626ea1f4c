package dev.peregrine.server;

import dev.peregrine.base.Log;
import dev.peregrine.base.WarmUpThread;
import dev.peregrine.http.Handler;
import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxMemory;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.accept.Admission;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.FirstConnections;
import dev.peregrine.server.accept.OpenFiles;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.jfr.FlightEvents;
import dev.peregrine.server.jfr.RecordedLoop;
import dev.peregrine.server.jfr.ServerFacts;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.start.FirstUse;
import dev.peregrine.server.start.LateStart;
import dev.peregrine.server.start.ScannerWarmUp;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Creates the parts of a server, connects and starts them. */
final class Bootstrap implements ServerFacts, LateStart.Parts {
  final String name;
  final ServerLimits limits;
  private volatile TransportKind transportKind;
  final RequestParser parser;
  final HttpProtocols protocols;
  final @Nullable BiConsumer<? super HttpServer, ? super Throwable> fatalHook;
  final List<Worker> workers = new ArrayList<>();
  final List<Acceptor> acceptors = new ArrayList<>();
  final List<SocketAddress> addresses = new ArrayList<>();
  private final HttpServerBuilder options;
  private final Transport transport;
  private final List<Endpoint> endpoints;
  private final List<EndpointOptions> endpointOptions = new ArrayList<>();
  private final @Nullable Duration pinnedTime;
  private final Admission admission;
  private final FirstConnections first;
  @Nullable HandOverLink handOver; // set while the server is being opened
  private @Nullable FlightEvents events; // created right before the loops are started
  private @Nullable ServerObservers observers; // likewise

  private Bootstrap(HttpServerBuilder options, Handler handler) {
    this.options = options;
    name = options.chooseName();
    limits = options.limits();
    fatalHook = options.onFatal();
    transportKind = Transports.resolve(options);
    Transports.checkDescriptors(transportKind, options);
    transport = Transports.open(transportKind);
    ScannerKind scanner = options.scanner();
    parser = options.parser(scanner == null ? ScannerKind.SWAR : scanner);
    protocols = new HttpProtocols(options, handler, parser);
    endpoints = options.endpoints();
    for (Endpoint endpoint : endpoints) {
      endpointOptions.add(endpoint.options);
    }
    pinnedTime = options.pinnedTime();
    admission = new Admission(workers, limits.connectionsMax(), endpointOptions);
    first = new FirstConnections(new Reserved(admission));
  }

  /** Creates the loops and listens; see {@link HttpServerBuilder#bind}. */
  static Bootstrap bind(HttpServerBuilder options, Handler handler) {
    Bootstrap parts = new Bootstrap(options, handler);
    parts.open();
    return parts;
  }

  /** Starts the loops; once. If that fails, the server no longer listens. */
  HttpServer start() {
    try {
      observers = ServerObservers.attach(options, name, workers, protocols.contexts());
      FlightEvents created = createEvents();
      events = created;
      created.attachBeforeStart();
    } catch (Throwable failure) {
      abandon();
      throw failure;
    }
    for (Worker worker : workers) {
      worker.loop.thread().setDaemon(options.isDaemon());
      worker.loop.start();
    }
    HttpServer server = new HttpServer(this);
    completeHandOver(server);
    Health health = options.health();
    if (health != null) {
      health.attach(server);
    }
    Transports.logProblem(transport, options);
    return server;
  }

  /** Creates the loops, and listens. */
  private void open() {
    String doing = "can't start";
    try {
      for (int i = 0; i < options.loops(); i++) {
        workers.add(new Worker(name + "-loop-" + i, transport, limits, protocols, endpointOptions));
      }
      HandOver wanted = options.handOver();
      if (wanted != null) {
        doing = "can't take sockets over at " + wanted.path();
        handOver = HandOverLink.open(wanted, name + "-hand-over", endpoints);
      }
      ListenerSource source = new ListenerSource(transport, workers.size(), handOver);
      for (int i = 0; i < endpoints.size(); i++) {
        doing = "can't listen on " + endpoints.get(i);
        listen(source, endpoints.get(i), i);
      }
      admission.limitBy(OpenFiles.read());
    } catch (IOException failure) {
      abandon();
      throw new UncheckedIOException(doing + ": " + failure.getMessage(), failure);
    } catch (Throwable failure) {
      abandon();
      throw failure;
    }
  }

  private FlightEvents createEvents() {
    List<ExchangeContext> contexts = protocols.contexts();
    List<RecordedLoop> loops = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      loops.add(new RecordedLoop(workers.get(i).connections, contexts.get(i)));
    }
    return new FlightEvents(this, loops);
  }

  // ---- facts for events ----

  @Override
  public String server() {
    return name;
  }

  @Override
  public String transport() {
    return transportKind.name();
  }

  /** Returns the transport at present. */
  TransportKind transportKind() {
    return transportKind;
  }

  @Override
  public String endpoints() {
    List<String> described = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      described.add(addresses.get(i) + " " + endpointOptions.get(i).stack().describe());
    }
    return String.join("; ", described);
  }

  @Override
  public ScannerKind scanner() {
    return protocols.scanner();
  }

  @Override
  public @Nullable Duration pinnedTime() {
    return pinnedTime;
  }

  @Override
  public ServerLimits limits() {
    return limits;
  }

  /** Returns the events of the Flight Recorder. */
  FlightEvents events() {
    return Objects.requireNonNull(events);
  }

  /** Returns the listeners that the program has added. */
  ServerObservers observers() {
    return Objects.requireNonNull(observers);
  }

  private void completeHandOver(HttpServer server) {
    HandOverLink link = handOver;
    if (link == null) {
      return;
    }
    try {
      link.complete(server, acceptors);
    } catch (IOException failure) {
      link.giveUp(server);
      throw new UncheckedIOException("can't take sockets over: " + failure.getMessage(), failure);
    } catch (Throwable failure) {
      link.giveUp(server);
      throw failure;
    }
  }

  /** Ends a server whose loops aren't started. */
  void abandon() {
    if (handOver != null) {
      handOver.abandon();
    }
    for (Worker worker : workers) {
      worker.abandon();
    }
  }

  /** Listens on an endpoint; its acceptors run on the workers from the same index on. */
  private void listen(ListenerSource source, Endpoint endpoint, int index) throws IOException {
    List<Listener> opened = source.open(endpoint, index);
    Set<SocketAddress> bound = new LinkedHashSet<>();
    boolean keeps =
        endpoint instanceof TcpEndpoint tcp && tcp.reusePort() && opened.size() == workers.size();
    int used = 0;
    try {
      while (used < opened.size()) {
        Listener listener = opened.get(used);
        accept(index, workers.get((index + used) % workers.size()), listener, keeps);
        used++;
        bound.add(listener.localAddress());
      }
    } finally {
      for (Listener unused : opened.subList(used, opened.size())) {
        unused.close();
      }
    }
    addresses.addAll(bound);
  }

  private void accept(int endpoint, Worker worker, Listener listener, boolean keeps)
      throws IOException {
    Acceptor acceptor =
        new Acceptor(
            worker.loop,
            listener,
            admission.target(worker, endpoint, keeps),
            first,
            new Admission.Room(admission, worker));
    acceptors.add(acceptor);
    worker.accept(acceptor);
  }

  /** Says where blocking handlers run; without loading what finds out more. */
  private static void logHandlerThreads() {
    Module own = Bootstrap.class.getModule();
    if (Object.class.getModule().isOpen("java.lang", own)) {
      Log.add(Level.DEBUG, "blocking handlers are carried by the event loops");
      return;
    }
    String target = own.isNamed() ? own.getName() : "ALL-UNNAMED";
    Log.add(
        Level.INFO,
        "blocking handlers run by the JDK's scheduler; event loops carry them at a lower cost with"
            + " --add-opens java.base/java.lang="
            + target);
  }

  private void logShortage() {
    String shortage = admission.shortage();
    if (shortage != null) {
      Log.add(Level.WARNING, shortage);
    }
  }

  @Override
  public void finish() {
    try {
      FirstUse.prepare();
      admission.limitBy(OpenFiles.read()); // the archives of the class path are open by now
    } finally {
      first.unbound();
    }
    events().attach();
    logTransport();
    logHandlerThreads();
    logShortage();
    warmUp();
  }

  @Override
  public boolean isFull() {
    return first.isFull();
  }

  /** Returns true if the server began without system calls. */
  @Override
  public boolean isToSettle() {
    return transportKind == TransportKind.NIO
        && Linux.problem() == null
        && (options.transport() == TransportKind.AUTO || !Linux.isLinked());
  }

  /** Links the system calls, and has loops that only began on {@code java.nio} use epoll. */
  @Override
  public void settle() {
    LinuxMemory.prepare();
    if (options.transport() == TransportKind.AUTO) {
      moveToEpoll();
      logTransport();
    }
  }

  private void logTransport() {
    Log.add(Level.DEBUG, "transport: " + transportKind.name().toLowerCase(Locale.ROOT));
  }

  private boolean isMovable() {
    return transportKind == TransportKind.NIO && TransportMove.isPossible(options);
  }

  /** Has the loops use epoll from now on, if that is possible. */
  void moveToEpoll() {
    try {
      if (isMovable() && TransportMove.run(workers)) {
        transportKind = TransportKind.EPOLL;
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Prepares the change to the vector scanner, unless a scanner was chosen. */
  private void warmUp() {
    if (options.scanner() != null || isWithoutVectors(ScannerKind.plainVectorProblem())) {
      return;
    }
    WarmUpThread thread = new WarmUpThread(name + "-warm-up", this::changeScanner);
    protocols.afterHeads(ScannerWarmUp.HEADS_BEFORE / workers.size(), thread::start);
  }

  private void changeScanner() {
    if (!isWithoutVectors(ScannerKind.vectorObjection())) {
      RequestParser vector = options.parser(ScannerKind.VECTOR);
      EventLoop any = workers.getFirst().loop;
      new ScannerWarmUp(vector, parser, any::isOver, protocols::parseWith).run();
    }
  }

  private static boolean isWithoutVectors(@Nullable String problem) {
    if (problem != null) {
      Log.add(Level.INFO, "request heads are scanned without vectors: " + problem);
    }
    return problem != null;
  }

  /** Counts the connections of all loops; not a lambda, to start sooner. */
  private record Reserved(Admission admission) implements IntSupplier {
    @Override
    public int getAsInt() {
      return admission.reserved();
    }
  }
}
