package dev.peregrine.server.start;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.base.WarmUpThread;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.end.ExitHook;
import dev.peregrine.server.end.ServerEnd;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.watch.LoopWatchdog;
import dev.peregrine.server.observe.DrainResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server whose loops run, as {@code HttpServer} describes it. Thread-safe. */
public final class RunningServer implements AutoCloseable, LateStart.Parts {
  private final Bootstrap parts;
  private final List<Worker> workers;
  private final List<Acceptor> acceptors;
  private final ServerObservers observers;
  private final @Nullable Consumer<Throwable> fatalHook;
  private final LoopWatchdog watchdog;
  private final LateStart lateStart;
  private final ServerEnd end;
  private final ExitHook exitHook;
  private volatile boolean fatal;

  /** Starts the loops of a server that listens, whose loops have their listeners. */
  private RunningServer(
      Bootstrap parts, ServerObservers observers, @Nullable Consumer<Throwable> fatalHook) {
    this.parts = parts;
    this.workers = List.copyOf(parts.workers);
    this.acceptors = List.copyOf(parts.acceptors);
    this.observers = observers;
    this.fatalHook = fatalHook;
    List<EventLoop> loops = new ArrayList<>();
    for (Worker worker : workers) {
      worker.loop.thread().setDaemon(parts.options.daemon);
      worker.loop.start();
      loops.add(worker.loop);
    }
    ServerLimits limits = parts.options.limits;
    this.watchdog =
        new LoopWatchdog(
            name() + "-watchdog",
            loops,
            limits.loopBlockedTime().toNanos(),
            limits.leftHandlersMax(),
            observers,
            new OnFatal(this));
    this.lateStart = LateStart.begin(name() + "-start", this);
    parts.protocols.afterHeads(1, lateStart.onRequest());
    SocketHandOver.Session handOver = parts.handOver;
    this.end =
        new ServerEnd(
            workers,
            acceptors,
            limits.shutdownIdleTime().toNanos(),
            handOver == null ? null : handOver::end,
            new OnClose(this));
    this.exitHook = new ExitHook(name() + "-exit", end);
  }

  /**
   * Starts the loops; on return they accept connections. If that fails, the server no longer
   * listens.
   *
   * @param fatalHook called when a loop can't do its work any more; null to close the server then
   */
  public static RunningServer start(Bootstrap parts, @Nullable Consumer<Throwable> fatalHook) {
    ServerObservers observers;
    try {
      List<ExchangeContext> contexts = parts.protocols.contexts();
      ServerEvents events = parts.options.features.events(parts, recorded(parts, contexts));
      if (events == null && parts.options.pinnedTime != null) {
        throw new UnsupportedOperationException(
            "logPinned needs the Flight Recorder: with(FlightEvents.create())");
      }
      observers = ServerObservers.attach(parts.options, parts.workers, contexts, events);
      parts.options.features.begin(parts, loops(parts));
    } catch (Throwable failure) {
      parts.abandon();
      throw failure;
    }
    return new RunningServer(parts, observers, fatalHook);
  }

  private static List<EventLoop> loops(Bootstrap parts) {
    List<EventLoop> loops = new ArrayList<>();
    for (Worker worker : parts.workers) {
      loops.add(worker.loop);
    }
    return loops;
  }

  private static List<RecordedLoop> recorded(Bootstrap parts, List<ExchangeContext> contexts) {
    List<RecordedLoop> loops = new ArrayList<>();
    for (int i = 0; i < contexts.size(); i++) {
      loops.add(new RecordedLoop(parts.workers.get(i).connections, contexts.get(i)));
    }
    return loops;
  }

  /**
   * Completes the start: the process before this one is told to stop accepting connections.
   *
   * @throws UncheckedIOException if it keeps its sockets; the server is shut down then
   */
  public void complete() {
    SocketHandOver.Session handOver = parts.handOver;
    try {
      if (handOver != null) {
        handOver.complete(acceptors, this::shutDown);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("can't take sockets over: " + failure.getMessage(), failure);
    }
    parts.transport.logProblem();
  }

  private void shutDown(Duration patience) {
    DrainResult ignored = end.drain(Duration.ZERO, patience);
  }

  /**
   * Calls the program's hook because an event loop can't do its work any more. On the watchdog's
   * thread, which calls again if this throws.
   */
  private void onFatal(Throwable cause) {
    fatal = true;
    Log.add(Level.ERROR, Incident.LOOP_FATAL, cause);
    Consumer<Throwable> hook = fatalHook;
    if (hook == null) {
      close();
      return;
    }
    try {
      hook.accept(cause);
    } catch (Throwable failure) {
      Log.add(Level.ERROR, Incident.ON_FATAL_FAILED, failure);
      close();
    }
  }

  /** Returns the name that the threads of the server begin with. */
  public String name() {
    return parts.options.name;
  }

  /** Returns how request heads are scanned at present. */
  public ScannerKind scanner() {
    return parts.protocols.scanner();
  }

  /** Returns the name of the transport at present. */
  public String transport() {
    return parts.transport.name();
  }

  public List<Worker> workers() {
    return workers;
  }

  public List<Acceptor> acceptors() {
    return acceptors;
  }

  public ServerEnd end() {
    return end;
  }

  /** Returns true while the event loops can do their work. */
  public boolean isLive() {
    return !fatal && !end.isClosed();
  }

  /** Returns true once the server is going to end, even if it still accepts connections. */
  public boolean isEnding() {
    return end.isEnding();
  }

  /** Has the loops use system calls from now on, if they can; waits for them. */
  public void moveTransport() {
    parts.transport.move(workers);
  }

  /** Has the server drain when the JVM exits. */
  public void drainOnExit(Duration lameDuck, Duration patience) {
    FirstUse.prepareLogOfExit();
    exitHook.register(lameDuck, patience);
  }

  /** Returns true if {@link #drainOnExit} is in force. */
  public boolean hasExitHook() {
    return exitHook.isRegistered();
  }

  @Override
  public void close() {
    end.close();
  }

  // ---- what a start leaves for later ----

  @Override
  public boolean isFull() {
    return parts.first.isFull();
  }

  @Override
  public void finish() {
    try {
      FirstUse.prepare();
      parts.limitByDescriptors(); // again: the archives of the class path are open by now
    } finally {
      parts.first.unbound();
    }
    observers.attachEvents();
    parts.transport.log();
    logHandlerThreads();
    String shortage = parts.admission.shortage();
    if (shortage != null) {
      Log.add(Level.WARNING, shortage);
    }
    warmUp();
  }

  @Override
  public boolean isToSettle() {
    return parts.transport.isToSettle();
  }

  @Override
  public void settle() {
    parts.transport.settle(parts.workers);
  }

  /** Logs where blocking handlers run; without loading what finds out more. */
  private static void logHandlerThreads() {
    Module own = RunningServer.class.getModule();
    if (Object.class.getModule().isOpen("java.lang", own)) {
      Log.add(Level.DEBUG, "blocking handlers are carried by the event loops");
      return;
    }
    String target = own.isNamed() ? own.getName() : "ALL-UNNAMED";
    Log.add(
        Level.INFO,
        "blocking handlers run by the JDK's scheduler; event loops carry them at a lower cost"
            + " with --add-opens java.base/java.lang="
            + target);
  }

  /** Prepares the change to the vector scanner, unless a scanner was chosen. */
  private void warmUp() {
    if (parts.options.scanner != null || isWithoutVectors(ScannerKind.plainVectorProblem())) {
      return;
    }
    WarmUpThread thread = new WarmUpThread(parts.options.name + "-warm-up", this::changeScanner);
    parts.protocols.afterHeads(ScannerWarmUp.HEADS_BEFORE / parts.workers.size(), thread::start);
  }

  private void changeScanner() {
    if (!isWithoutVectors(ScannerKind.vectorObjection())) {
      RequestParser vector = parts.options.parser(ScannerKind.VECTOR);
      EventLoop any = parts.workers.getFirst().loop;
      new ScannerWarmUp(vector, parts.parser, any::isOver, parts.protocols::tryOut).run();
    }
  }

  private static boolean isWithoutVectors(@Nullable String problem) {
    if (problem != null) {
      Log.add(Level.INFO, "request heads are scanned without vectors: " + problem);
    }
    return problem != null;
  }

  // Not lambdas, to start sooner: see docs/ARCHITECTURE.md.

  private record OnFatal(RunningServer server) implements Consumer<Throwable> {
    @Override
    public void accept(Throwable cause) {
      server.onFatal(cause);
    }
  }

  private record OnClose(RunningServer server) implements Runnable {
    @Override
    public void run() {
      server.lateStart.close();
      server.watchdog.close();
      server.observers.onEnd();
      server.parts.options.features.close();
      server.exitHook.remove();
    }
  }
}
