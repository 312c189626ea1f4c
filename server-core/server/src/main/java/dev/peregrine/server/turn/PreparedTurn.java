package dev.peregrine.server.turn;

/**
 * Work for a later turn of a connection that is prepared, so that its submission allocates nothing:
 * for a caller that must tell the loop of an end even if the heap is full.
 */
public final class PreparedTurn {
  private final TurnQueue queue;
  private final TurnTask task;

  /** Prepares work; on any thread. */
  public PreparedTurn(TurnQueue queue, Turn work) {
    this.queue = queue;
    task = new TurnTask(work);
  }

  /**
   * Runs the work in a later turn, before all that was submitted since the present one began to
   * run; on the thread that takes the loop, once.
   */
  public void submitFirst() {
    queue.addFirst(task);
  }

  /** Runs the work like {@link TurnQueue#submit}; on any thread, once. */
  public void submit() {
    queue.submitTask(task);
  }
}
