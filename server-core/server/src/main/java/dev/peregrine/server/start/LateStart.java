package dev.peregrine.server.start;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.accept.FirstConnections;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The parts of a start that no request needs, on a thread of its own. The first follows the first
 * request, which would otherwise share the processor with it. The second, the move to another
 * transport, follows a second after it: it throws code away that C2 has compiled for the first one,
 * and more of it the later it comes.
 */
public final class LateStart implements AutoCloseable {
  static final long DELAY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(500); // without a request
  // C1 has compiled the first code then, on one processor. Not later: a class that is first used
  // by a call at the end of its stack would never be initialized.
  static final long RESPONSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  // C2 has compiled most of the code for a request then, on one processor.
  private static final long COMPILATION_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

  private final Parts parts;
  private final Thread thread;
  private volatile boolean requested;
  private volatile boolean closed;

  /** The two parts. */
  public interface Parts {
    /** Returns true if connections wait for the first part; on any thread. */
    boolean isFull();

    /** Does what the first request need not wait for. */
    void finish();

    /** Returns true if {@link #settle} has work. */
    boolean isToSettle();

    /** Does what changes the code that serves requests. */
    void settle();
  }

  private LateStart(String threadName, Parts parts) {
    this.parts = parts;
    this.thread = new Thread(new Work(), threadName); // as in EventLoop
    thread.setDaemon(true);
  }

  /** Begins the delay. */
  public static LateStart begin(String threadName, Parts parts) {
    LateStart created = new LateStart(threadName, parts);
    created.thread.start();
    return created;
  }

  /** Returns an action that notes that a request is being served; callable from any thread. */
  public Runnable onRequest() {
    return new OnRequest();
  }

  /**
   * Returns true if the first part can wait.
   *
   * @param nanos the time since the first request, or since the start if there was none
   * @param isFull whether further connections wait for it ({@link FirstConnections})
   */
  static boolean isEarly(boolean requested, long nanos, boolean isFull) {
    long most = requested ? RESPONSE_NANOS : DELAY_NANOS_MAX;
    return nanos < most && !isFull;
  }

  private void awaitFirstPart() {
    long start = System.nanoTime();
    boolean seen = false;
    while (!closed && isEarly(seen, System.nanoTime() - start, parts.isFull())) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      if (requested && !seen) {
        seen = true;
        start = System.nanoTime();
      }
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

  private void doUnlessClosed(boolean second) {
    try {
      if (closed) {
        return;
      }
      if (second) {
        parts.settle();
      } else {
        parts.finish();
      }
    } catch (Throwable failure) {
      Log.add(Level.ERROR, Incident.LATE_START_FAILED, failure);
    }
  }

  // Not lambdas, to start sooner: see docs/ARCHITECTURE.md.

  private final class Work implements Runnable {
    @Override
    public void run() {
      awaitFirstPart();
      doUnlessClosed(false);
      if (parts.isToSettle()) {
        pause(COMPILATION_NANOS);
        doUnlessClosed(true);
      }
    }
  }

  private final class OnRequest implements Runnable {
    @Override
    public void run() {
      requested = true;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the delay, and the thread unless it works already. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
