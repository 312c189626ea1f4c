package dev.peregrine.bench.codec;

import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Finds its one socket readable for a given number of polls; otherwise waits. The event loop around
 * it is the real one. {@link #run} is called by the measuring thread, which waits meanwhile.
 */
final class ScriptedPoller implements Poller {
  private @Nullable ReadyHandler handler;
  private long turnsLeft; // this and all below: used by the loop's thread
  private boolean waited;
  private boolean repeats; // the turn isn't over
  private boolean done; // the requested turns are over, except for the rest of the last one
  private volatile long turnsAsked; // 0 once the loop has taken them, or has made them all
  private volatile boolean busy;
  private volatile boolean woken;
  private volatile @Nullable Thread loopThread;
  private volatile @Nullable Thread caller;

  /** Sets the handler to notify. */
  void tell(ReadyHandler told) {
    handler = told;
  }

  /** Returns the handler to notify. */
  @Nullable ReadyHandler told() {
    return handler;
  }

  /** Notifies the handler once more for the same turn. Called by the handler. */
  void repeatTurn() {
    repeats = true;
  }

  /** Lets the loop make a number of turns with the socket readable, and waits until it has. */
  void run(long turns) {
    caller = Thread.currentThread();
    busy = true;
    turnsAsked = turns;
    LockSupport.unpark(loopThread);
    while (busy) {
      LockSupport.park(this);
    }
  }

  @Override
  public void await(long timeoutNanos) {
    waited = timeoutNanos != 0;
    if (!waited) { // tasks wait: among them the rest of a turn that took too long
      return;
    }
    if (done) {
      done = false;
      busy = false;
      LockSupport.unpark(caller);
    }
    if (turnsLeft == 0 && turnsAsked == 0) {
      sleep(timeoutNanos);
    }
  }

  @Override
  public void notifyReady() {
    if (!waited) {
      return;
    }
    if (turnsLeft == 0) {
      turnsLeft = turnsAsked;
      turnsAsked = 0;
    }
    ReadyHandler told = handler;
    if (turnsLeft > 0 && told != null) {
      repeats = false;
      told.onReady(Ready.READ);
      if (!repeats) {
        done = --turnsLeft == 0;
      }
    }
  }

  /** Waits for a wake-up; may end early, and then the loop polls again. */
  private void sleep(long timeoutNanos) {
    loopThread = Thread.currentThread();
    if (turnsAsked != 0 || woken) {
      woken = false;
    } else if (timeoutNanos == FOREVER) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, timeoutNanos);
    }
  }

  @Override
  public void wakeUp() {
    woken = true;
    LockSupport.unpark(loopThread);
  }

  @Override
  public void close() {}
}
