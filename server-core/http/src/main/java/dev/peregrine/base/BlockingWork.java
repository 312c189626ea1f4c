package dev.peregrine.base;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Work that may block: a form of {@code Response.async(work)} that the server recognises. The
 * server runs it on a virtual thread that the event loop carries, or has it start a thread of its
 * own.
 */
public interface BlockingWork extends Supplier<CompletionStage<?>> {
  /**
   * Does the work on the calling thread, which may block.
   *
   * @param nowNanos the {@link System#nanoTime} of its begin
   */
  void run(long nowNanos) throws Exception;

  /**
   * Starts work that has this one inside, on a virtual thread of the JDK's scheduler; the stage
   * completes at its end.
   *
   * @param outermost this, or what wraps it
   */
  CompletionStage<?> start(BlockingWork outermost);

  /** Starts this work, with nothing around it. */
  @Override
  default CompletionStage<?> get() {
    return start(this);
  }
}
