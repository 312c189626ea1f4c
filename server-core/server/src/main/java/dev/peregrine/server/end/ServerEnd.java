package dev.peregrine.server.end;

import dev.peregrine.base.Log;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.accept.CutShort;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.connection.Unfinished;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.DrainResult;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a server, in order or at once. Thread-safe: several threads may end the server at the
 * same time. Each step is taken by the first one whose time for it has come, and the others
 * continue from there.
 *
 * <pre>
 *   open ──drain──▶ ending ──lame duck over──▶ unlistened ──listeners closed──▶ draining
 *     │               │                            │                              │ none left, time
 *     └───────────────┴───── close, interrupt ─────┴──────────────────────────────┴──▶ closed
 * </pre>
 *
 * <p>Each step but the first is a flag, because those before it stay true.
 */
public final class ServerEnd {
  private static final long POLL_MILLIS = 5;
  // A handler that blocks its loop delays each step of the end by at most this time.
  private static final long HELD_UP_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final List<Worker> workers;
  private final List<Acceptor> acceptors;
  private final long idleNanosMax;
  private final @Nullable Runnable handOver;
  private final Runnable onClose;
  private final CutShort cut = new CutShort();
  private volatile List<Worker> awaited; // all, except those that never get on
  private volatile boolean ending;
  private volatile boolean unlistened; // or the listeners are being closed
  private volatile boolean draining;
  private volatile boolean closed;
  private long begunNanos; // this and all below: guarded by this
  private long endedNanos; // since then, once it has ended
  private boolean ended;

  /**
   * The end of a server that runs.
   *
   * @param idleNanosMax how long a connection without a request waits for one
   * @param handOver ends the hand-over before the server stops listening; null without one
   * @param onClose runs once, before the loops end
   */
  public ServerEnd(
      List<Worker> workers,
      List<Acceptor> acceptors,
      long idleNanosMax,
      @Nullable Runnable handOver,
      Runnable onClose) {
    this.workers = workers;
    this.awaited = workers;
    this.acceptors = acceptors;
    this.idleNanosMax = idleNanosMax;
    this.handOver = handOver;
    this.onClose = onClose;
  }

  public boolean isClosed() {
    return closed;
  }

  /** Returns true once the server is going to end. */
  public boolean isEnding() {
    return ending || closed;
  }

  /** Returns true once the port is closed and every loop drains its connections. */
  public boolean isDraining() {
    return draining;
  }

  /** See {@code HttpServer.drain}. */
  public DrainResult drain(Duration lameDuck, Duration patience) {
    if (isOnLoop()) {
      throw new IllegalStateException(
          "drain waits for requests, so it must not be called on an event loop");
    }
    long patienceNanos = nanos(patience);
    long lameDuckEndNanos = System.nanoTime() + nanos(lameDuck);
    long endNanos = lameDuckEndNanos + patienceNanos;
    boolean interrupted = false;
    try {
      beginLameDuck();
      await(() -> unlistened, lameDuckEndNanos);
      drainConnections(endNanos, Math.min(idleNanosMax, patienceNanos / 4));
      await(() -> draining && connections() == 0, endNanos);
    } catch (InterruptedException stop) {
      interrupted = true;
    }
    close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return result();
  }

  /** Begins the end: connections are still accepted. Only the first call has an effect. */
  private synchronized void beginLameDuck() {
    if (ending || closed) {
      return;
    }
    begunNanos = System.nanoTime();
    workers.forEach(Worker::lameDuckDue); // first: who sees that the server ends is a new client
    ending = true;
    for (Worker worker : workers) {
      worker.loop.execute(worker::beginLameDuck);
    }
  }

  private synchronized boolean beginDrain() {
    boolean first = !unlistened && !closed;
    unlistened = true;
    return first;
  }

  /** Closes the listeners, then lets connections end. Only the first call has an effect. */
  private void drainConnections(long endNanos, long idleNanos) throws InterruptedException {
    if (!beginDrain()) {
      return;
    }
    endHandOver();
    List<Worker> serving = awaited;
    List<EventLoop> loops = serving.stream().map(worker -> worker.loop).toList();
    List<Acceptor> open = acceptors.stream().filter(one -> loops.contains(one.loop())).toList();
    awaitLoops(Acceptor.stopAll(open), endNanos);
    CountDownLatch untold = new CountDownLatch(serving.size());
    for (Worker worker : serving) {
      worker.loop.execute(
          () -> {
            worker.drain(idleNanos);
            untold.countDown();
          });
    }
    awaitLoops(untold, endNanos);
    draining = true;
  }

  private void awaitLoops(CountDownLatch left, long endNanos) throws InterruptedException {
    long nanos = Math.min(endNanos - System.nanoTime(), HELD_UP_NANOS_MAX);
    await(() -> left.getCount() == 0, System.nanoTime() + nanos);
  }

  /** Waits until the condition holds, the server is closed, or the time is over. */
  private void await(BooleanSupplier condition, long endNanos) throws InterruptedException {
    while (!condition.getAsBoolean() && !closed && System.nanoTime() - endNanos < 0) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private int connections() {
    return awaited.stream().mapToInt(worker -> worker.connections.count().reserved()).sum();
  }

  /**
   * Waits no more for loops of which a handler has called {@code System.exit}, which never returns:
   * its connection never ends, and the others may not be served any more.
   */
  void forsakeExitingLoops() {
    awaited =
        workers.stream()
            .filter(worker -> worker.loop.threads().stream().noneMatch(ServerEnd::isExiting))
            .toList();
  }

  private static boolean isExiting(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
  }

  /** Closes everything at once. Waits until the loops have ended, except on one of them. */
  public void close() {
    boolean first = beginClose();
    if (first) {
      endHandOver();
      onClose.run();
      workers.forEach(worker -> worker.stop(cut));
    }
    boolean joins = !isOnLoop();
    if (joins) {
      joinLoops();
    }
    if (first) {
      log(joins ? blocked() : List.of());
    }
  }

  private void endHandOver() {
    if (handOver != null) {
      handOver.run();
    }
  }

  private synchronized boolean beginClose() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Waits for the loops, even if the thread is interrupted: otherwise they'd count as blocked. */
  private void joinLoops() {
    long endNanos = System.nanoTime() + HELD_UP_NANOS_MAX;
    boolean interrupted = false;
    for (Worker worker : awaited) {
      interrupted |= join(worker.loop, endNanos);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until a loop and its thread have ended; not for handlers that were left. Returns true if
   * this thread was interrupted meanwhile.
   */
  private static boolean join(EventLoop loop, long endNanos) {
    boolean interrupted = false;
    while (true) {
      try {
        boolean ignored =
            loop.over().await(remainingNanos(endNanos), TimeUnit.NANOSECONDS)
                && loop.thread().join(Duration.ofNanos(remainingNanos(endNanos)));
        return interrupted;
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
  }

  private static long remainingNanos(long endNanos) {
    return Math.max(endNanos - System.nanoTime(), 1);
  }

  /** Logs the end. With blocked loops, their connections are cut as well. */
  private void log(List<String> blocked) {
    if (!blocked.isEmpty()) {
      Log.add(Level.WARNING, "event loops are blocked by their handlers: " + blocked);
    }
    List<String> left = left();
    if (!left.isEmpty()) {
      Log.add(
          ending ? Level.WARNING : Level.INFO,
          "handlers still run, which keeps the JVM from ending: " + left);
    }
    if (!ending) {
      return;
    }
    String time = "shut down in " + TimeUnit.NANOSECONDS.toMillis(endNanos()) + " ms; ";
    if (!cut.isEmpty()) {
      Log.add(Level.WARNING, time + "cut short: " + cut);
    } else if (blocked.isEmpty()) {
      Log.add(Level.INFO, time + "nothing was cut short");
    } else {
      Log.add(Level.WARNING, time + "cut short: the connections of blocked event loops");
    }
  }

  /** Returns the time from the first call of drain to the end, which is now at the latest. */
  private synchronized long endNanos() {
    if (!ended) {
      ended = true;
      endedNanos = ending ? System.nanoTime() - begunNanos : 0;
    }
    return endedNanos;
  }

  private DrainResult result() {
    return new DrainResult(
        cut.count(Unfinished.REQUEST),
        cut.count(Unfinished.ANSWER),
        cut.count(Unfinished.RESPONSE),
        cut.count(Unfinished.UPGRADED),
        blocked().size(),
        Duration.ofNanos(endNanos()));
  }

  /** Returns the names of the loops that have not ended. */
  private List<String> blocked() {
    return workers.stream()
        .map(worker -> worker.loop)
        .filter(loop -> !loop.isOver())
        .map(EventLoop::name)
        .toList();
  }

  /** Returns the names of the threads that run handlers which their loops have left. */
  private List<String> left() {
    List<String> names = new ArrayList<>();
    for (Worker worker : workers) {
      List<Thread> threads = worker.loop.threads();
      for (Thread left : threads.subList(1, threads.size())) { // the first one runs the loop
        names.add(left.getName());
      }
    }
    return names;
  }

  private boolean isOnLoop() {
    return workers.stream().map(worker -> worker.loop).anyMatch(EventLoop::isCurrent);
  }

  /** Returns a time in nanoseconds; one of centuries counts as endless. */
  private static long nanos(Duration time) {
    if (time.isNegative()) {
      return 0;
    }
    long endless = Long.MAX_VALUE / 4; // so that the sum of two does not overflow
    return time.compareTo(Duration.ofNanos(endless)) < 0 ? time.toNanos() : endless;
  }
}
