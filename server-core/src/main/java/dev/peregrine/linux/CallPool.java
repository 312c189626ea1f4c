package dev.peregrine.linux;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A few {@link FileCalls} for any thread that needs one for a moment. Thread-safe. */
public final class CallPool {
  private static final int KEPT_MAX = 16; // a power of two

  private final AtomicReferenceArray<@Nullable FileCalls> kept =
      new AtomicReferenceArray<>(KEPT_MAX);

  /** Returns one that is the caller's until it is released. */
  public FileCalls acquire() {
    FileCalls calls = kept.getAndSet(slot(), null);
    return calls != null ? calls : new FileCalls();
  }

  /** Returns an object for the next caller. The one that it replaces is garbage. */
  public void release(FileCalls calls) {
    kept.set(slot(), calls);
  }

  /** Threads that live long have a slot of their own, as their numbers follow one another. */
  private static int slot() {
    return (int) Thread.currentThread().threadId() & (KEPT_MAX - 1);
  }
}
