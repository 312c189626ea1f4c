package dev.peregrine.server;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The part of a start that no request needs, on a thread of its own: shortly after the first
 * request, which otherwise would share the processor with it.
 */
final class LateStart implements AutoCloseable {
  private static final long DELAY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500); // arbitrary
  private static final long RESPONSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50); // without compiler

  private final Runnable work;
  private final Thread thread;
  private volatile boolean requested;
  private volatile boolean closed;

  private LateStart(String threadName, Runnable work) {
    this.work = work;
    this.thread = Thread.ofPlatform().daemon().name(threadName).unstarted(this::run);
  }

  /** Begins the delay. */
  static LateStart begin(String threadName, Runnable work) {
    LateStart created = new LateStart(threadName, work);
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
