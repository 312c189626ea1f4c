package dev.peregrine.server.exchange.state;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of the application that wait until a handler that was left has returned, so that they
 * don't run at the same time. Belongs to the event loop.
 */
public final class AfterHandler {
  private @Nullable Deque<Runnable> waiting; // while the handler runs on its own thread

  /** A handler is left; memory for its callbacks is there from now on. */
  public void begin(ArrayDeque<Runnable> callbacks) {
    waiting = callbacks;
  }

  /** Returns true while the handler runs on a thread that was relieved. */
  public boolean isAwaited() {
    return waiting != null;
  }

  /** Runs a callback now, or when a handler that was left has returned. */
  public void run(Runnable callback) {
    Deque<Runnable> queue = waiting;
    if (queue == null) {
      callback.run();
    } else {
      queue.add(callback);
    }
  }

  /** The handler has returned: callbacks run at once from now on. Doesn't run those that wait. */
  public void end() {
    waiting = null;
  }
}
