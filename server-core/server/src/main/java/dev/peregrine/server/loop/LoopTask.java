package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Work to be done on an event loop. A task is its own queue node, so that submitting it allocates
 * nothing. It must not be submitted again before it has run.
 */
public abstract class LoopTask {
  static final VarHandle NEXT = FieldHandle.of(MethodHandles.lookup(), "next", LoopTask.class);

  @Nullable LoopTask next; // by the order of TaskQueue

  /** Runs on the loop's thread. */
  protected abstract void run();

  /** Runs instead of {@link #run} if the loop has ended; on any thread. */
  protected void onRejected() {}

  static LoopTask of(Runnable work) {
    return new LoopTask() {
      @Override
      protected void run() {
        work.run();
      }
    };
  }
}
