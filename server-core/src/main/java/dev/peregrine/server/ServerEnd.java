package dev.peregrine.server;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.EventLoop;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The end of a server, in order or at once. Thread-safe: the first call does the work, and the
 * others wait for it.
 *
 * <pre>
 *   RUNNING ──shutdown──▶ listeners close ──▶ connections drain ──none left, time──▶ CLOSED
 *      └────────────────────────────── close, interrupt ───────────────────────────────▶
 * </pre>
 */
final class ServerEnd {
  private static final long POLL_MILLIS = 5;
  // A handler that blocks its loop delays each step of the end by at most this time.
  private static final long HELD_UP_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

  private final List<Worker> workers;
  private final List<Acceptor> acceptors;
  private final long idleNanosMax;
  private final Runnable onClose;
  private final CutShort cut = new CutShort();
  private volatile boolean draining;
  private volatile boolean closed;
  private boolean begun; // this and all below: guarded by this
  private long begunNanos;

  /**
   * The end of a server that runs.
   *
   * @param idleNanosMax how long a connection without a request waits for one
   * @param onClose runs once, before the loops end
   */
  ServerEnd(List<Worker> workers, List<Acceptor> acceptors, long idleNanosMax, Runnable onClose) {
    this.workers = workers;
    this.acceptors = acceptors;
    this.idleNanosMax = idleNanosMax;
    this.onClose = onClose;
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns true once the port is closed and every loop drains its connections. */
  boolean isDraining() {
    return draining;
  }

  /** See {@link HttpServer#shutdown}. */
  boolean shutdown(Duration patience) {
    if (isOnLoop()) {
      throw new IllegalStateException(
          "shutdown waits for requests, so it must not be called on an event loop");
    }
    long nanos = nanos(patience);
    long endNanos = System.nanoTime() + nanos;
    boolean interrupted = false;
    try {
      if (begin()) {
        drain(endNanos, Math.min(idleNanosMax, nanos / 4));
      }
      await(() -> draining && connections() == 0, endNanos);
    } catch (InterruptedException stop) {
      interrupted = true;
    }
    boolean ended = close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return ended && cut.isEmpty();
  }

  private synchronized boolean begin() {
    boolean first = !begun;
    if (first) {
      begun = true;
      begunNanos = System.nanoTime();
    }
    return first;
  }

  /** Closes the listeners, then lets connections end. */
  private void drain(long endNanos, long idleNanos) throws InterruptedException {
    CountDownLatch listening = new CountDownLatch(acceptors.size());
    for (Acceptor acceptor : acceptors) {
      acceptor.loop().execute(() -> acceptor.stop(listening::countDown));
    }
    awaitLoops(listening, endNanos);
    CountDownLatch untold = new CountDownLatch(workers.size());
    for (Worker worker : workers) {
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
    return workers.stream().mapToInt(worker -> worker.connections.reserved()).sum();
  }

  /**
   * Closes everything at once. Waits until the loops have ended, except on one of them.
   *
   * @return whether they have ended
   */
  boolean close() {
    boolean first = beginClose();
    if (first) {
      onClose.run();
      workers.forEach(worker -> worker.stop(cut));
    }
    boolean ended = !isOnLoop() && joinLoops();
    if (first) {
      log(ended);
    }
    return ended;
  }

  private synchronized boolean beginClose() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  private boolean joinLoops() {
    long endNanos = System.nanoTime() + HELD_UP_NANOS_MAX;
    boolean ended = true;
    try {
      for (Worker worker : workers) {
        long nanos = Math.max(endNanos - System.nanoTime(), 1);
        ended &= worker.loop.thread().join(Duration.ofNanos(nanos));
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
    return ended;
  }

  private synchronized void log(boolean ended) {
    if (!ended && !isOnLoop()) {
      Log.add(Level.WARNING, "event loops are blocked by their handlers: " + held());
    }
    if (!begun) {
      return;
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    if (cut.isEmpty()) {
      Log.add(Level.INFO, "shut down in " + millis + " ms; nothing was cut short");
    } else {
      Log.add(Level.WARNING, "shut down in " + millis + " ms; cut short: " + cut);
    }
  }

  private List<String> held() {
    return workers.stream()
        .map(worker -> worker.loop.thread())
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .toList();
  }

  private boolean isOnLoop() {
    return workers.stream().map(worker -> worker.loop).anyMatch(EventLoop::isCurrent);
  }

  /** Returns a time in nanoseconds; one that overflows a long counts as endless. */
  private static long nanos(Duration time) {
    if (time.isNegative()) {
      return 0;
    }
    long endless = Long.MAX_VALUE / 2;
    return time.compareTo(Duration.ofNanos(endless)) < 0 ? time.toNanos() : endless;
  }
}
