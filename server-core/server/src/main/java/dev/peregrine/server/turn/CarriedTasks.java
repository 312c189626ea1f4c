package dev.peregrine.server.turn;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs each task on a virtual thread of its own that the event loop carries. All of its steps, also
 * the first one, are tasks of a connection, which may have closed.
 */
public record CarriedTasks(TurnQueue queue, String name) implements Executor {
  @Override
  public void execute(Runnable command) {
    new Task(queue, name, command).submit();
  }

  /** A task on its thread. */
  private static final class Task extends CarriedWork {
    private final Runnable command;

    Task(TurnQueue queue, String name, Runnable command) {
      super(queue, name);
      this.command = command;
    }

    @Override
    protected void work() {
      command.run();
    }

    @Override
    protected void onParked() {}

    @Override
    protected @Nullable Turn takeKept() {
      return null;
    }

    @Override
    protected void onEnd() {}
  }
}
