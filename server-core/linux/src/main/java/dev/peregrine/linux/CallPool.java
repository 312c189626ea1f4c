package dev.peregrine.linux;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A pool of {@link FileCalls} for threads that need one for a short time. Thread-safe. */
public final class CallPool {
  private static final int KEPT_MAX = 16; // a power of two

  private final AtomicReferenceArray<@Nullable FileCalls> kept =
      new AtomicReferenceArray<>(KEPT_MAX);

  /** Returns calls that belong to the caller until it releases them. */
  public FileCalls acquire() {
    FileCalls calls = kept.getAndSet(slot(), null);
    return calls != null ? calls : new FileCalls();
  }

  /**
   * Puts calls back for the next caller. They replace others in the same slot, which become
   * garbage.
   */
  public void release(FileCalls calls) {
    kept.set(slot(), calls);
  }

  /**
   * Returns the slot of the current thread. Long-lived threads seldom share one, because their ids
   * are consecutive.
   */
  private static int slot() {
    return (int) Thread.currentThread().threadId() & (KEPT_MAX - 1);
  }
}
