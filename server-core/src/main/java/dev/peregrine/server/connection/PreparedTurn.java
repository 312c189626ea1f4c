package dev.peregrine.server.connection;

/**
 * Work for a later turn of a connection that is prepared, so that its submission allocates nothing:
 * for a caller that must tell the loop of an end even if the heap is full.
 */
public final class PreparedTurn {
  private final TurnQueue queue;
  private final TurnTask task;

  /** Prepares work; on any thread. */
  public PreparedTurn(Connection connection, Turn work) {
    queue = connection.turns();
    task = new TurnTask(work);
  }

  /**
   * Runs the work in a later turn, before all that was submitted since the present one began to
   * run; on the thread that takes the loop, once.
   */
  public void submitFirst() {
    queue.addFirst(task);
  }

  /** Runs the work like {@link Connection#execute}; on any thread, once. */
  public void submit() {
    queue.submit(task);
  }
}
