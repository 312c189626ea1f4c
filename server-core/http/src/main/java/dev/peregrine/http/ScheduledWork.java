package dev.peregrine.http;

/**
 * Work that waits for its time: see {@link Response#onLoopAfter} and {@link
 * RawConnection#onLoopAfter}.
 */
public interface ScheduledWork {
  /**
   * Cancels the work. On the event loop it does not run any more after this call. Callable from any
   * thread, also after the work has run.
   */
  void cancel();
}
