package dev.peregrine.server.jfr;

import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Records a periodic event of a server, on the recorder's thread. The recorder may keep it after it
 * was removed, until another recording begins, so it drops the server at its end.
 */
final class PeriodicHook implements Runnable {
  private @Nullable Runnable work; // guarded by this; null after the end

  private PeriodicHook(Runnable work) {
    this.work = work;
  }

  /** Has the recorder run some work, which records events of that kind. */
  static PeriodicHook begin(Class<? extends Event> event, Runnable work) {
    PeriodicHook hook = new PeriodicHook(work);
    FlightRecorder.addPeriodicEvent(event, hook);
    return hook;
  }

  @Override
  public synchronized void run() {
    if (work != null) {
      work.run();
    }
  }

  /** Leaves the recorder; nothing is recorded any more when this returns. */
  void end() {
    synchronized (this) {
      work = null;
    }
    FlightRecorder.removePeriodicEvent(this);
  }
}
