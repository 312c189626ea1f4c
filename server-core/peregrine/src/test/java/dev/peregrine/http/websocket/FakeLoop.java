package dev.peregrine.http.websocket;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** An event loop that runs its tasks when a test asks for it. Any thread adds tasks. */
final class FakeLoop implements Executor {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  @Override
  public synchronized void execute(Runnable task) {
    tasks.add(task);
  }

  private synchronized Runnable next() {
    return tasks.poll();
  }

  /** Runs one task; returns false if there is none. */
  boolean runOne() {
    Runnable task = next();
    if (task != null) {
      task.run();
    }
    return task != null;
  }

  /** Runs tasks until none is left; returns their number. */
  int runAll() {
    int count = 0;
    while (runOne()) {
      count++;
    }
    return count;
  }
}
