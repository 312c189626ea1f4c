package dev.peregrine.server.turn;

/** Loses work as a thread does whose stack ends before it has handed the work over. */
public final class LostWork {
  private LostWork() {}

  /** Adds work to a queue that stays out of its loop's; on the loop's thread. */
  public static void add(TurnQueue queue, Turn work) {
    queue.addHeld(new TurnTask(work));
  }
}
