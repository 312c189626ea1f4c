package dev.peregrine.server;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a start that no request needs, on a thread of its own. The first follows the first
 * request, which would otherwise share the processor with it. The second, which takes longer,
 * follows some seconds later, when the code that serves requests is compiled.
 */
final class LateStart implements AutoCloseable {
  private static final long DELAY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500); // arbitrary
  private static final long RESPONSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // without compiler
  private static final long COMPILATION_NANOS = TimeUnit.SECONDS.toNanos(4); // on one processor

  private final Runnable soon;
  private final @Nullable Runnable later;
  private final Thread thread;
  private volatile boolean requested;
  private volatile boolean closed;

  private LateStart(String threadName, Runnable soon, @Nullable Runnable later) {
    this.soon = soon;
    this.later = later;
    this.thread = Thread.ofPlatform().daemon().name(threadName).unstarted(this::run);
  }

  /** Begins the delay. */
  static LateStart begin(String threadName, Runnable soon, @Nullable Runnable later) {
    LateStart created = new LateStart(threadName, soon, later);
    created.thread.start();
    return created;
  }

  /** Notes that a request is being served; callable from any thread. */
  void onRequest() {
    requested = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    // That a wait may return early does no harm.
    if (!requested) {
      LockSupport.parkNanos(this, DELAY_NANOS_MAX);
    }
    if (requested) {
      LockSupport.parkNanos(this, RESPONSE_NANOS);
    }
    runUnlessClosed(soon);
    if (later != null) {
      pause(COMPILATION_NANOS);
      runUnlessClosed(later);
    }
  }

  private void pause(long nanos) {
    long start = System.nanoTime();
    long left = nanos;
    while (left > 0 && !closed) {
      LockSupport.parkNanos(this, left);
      left = nanos - (System.nanoTime() - start);
    }
  }

  private void runUnlessClosed(Runnable work) {
    try {
      if (!closed) {
        work.run();
      }
    } catch (Throwable failure) {
      Log.add(Level.ERROR, Incident.LATE_START_FAILED, failure);
    }
  }

  /** Ends the delay, and the thread unless it works already. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
