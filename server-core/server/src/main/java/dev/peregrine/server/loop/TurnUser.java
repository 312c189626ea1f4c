package dev.peregrine.server.loop;

import org.jspecify.annotations.Nullable;

/** The connections of a loop, whose turns have state on the stack of the thread that runs it. */
public interface TurnUser {
  /**
   * Separates the handler that runs now from the turn that has called it, because another thread
   * takes the loop. It is called on that thread, while the handler runs, and can't call the server.
   * If this throws, nothing has changed.
   */
  void leaveHandler();

  /** Ends the turn that has called the handler, in its place. */
  void endLeftTurn();

  /**
   * Describes the work under way; null if there is none. Another thread calls this while the loop
   * works, so it may see state that is partly changed.
   */
  @Nullable String describe();
}
