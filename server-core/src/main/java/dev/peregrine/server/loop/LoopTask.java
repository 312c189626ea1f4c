package dev.peregrine.server.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Work to be done on an event loop. A task is its own queue node, so that handing one over
 * allocates nothing; it must not be handed over again before it has run.
 */
public abstract class LoopTask {
  static final VarHandle NEXT;

  static {
    try {
      NEXT = MethodHandles.lookup().findVarHandle(LoopTask.class, "next", LoopTask.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  volatile @Nullable LoopTask next;

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
