package dev.peregrine.base;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Prepares code on a separate thread, once, when it is first wanted: mostly has vector code
 * compiled. Until then, and where no thread can be had, its callers do without.
 */
public final class WarmUpThread {
  private final String name;
  private final Runnable warmUp;
  private final AtomicBoolean started = new AtomicBoolean();

  /**
   * Creates a thread that doesn't run yet.
   *
   * @param name the thread's name
   */
  public WarmUpThread(String name, Runnable warmUp) {
    this.name = name;
    this.warmUp = warmUp;
  }

  /** Starts the warm-up unless it was started before. Any thread may call this. */
  public void start() {
    if (started.compareAndSet(false, true)) {
      try {
        Thread.ofPlatform().daemon().name(name).start(warmUp);
      } catch (OutOfMemoryError full) {
        Log.add(Level.INFO, "no thread " + name + ", so what it prepares is not used");
      }
    }
  }
}
