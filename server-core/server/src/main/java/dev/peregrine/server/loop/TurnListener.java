package dev.peregrine.server.loop;

/** Is told when the turns of an event loop begin and end, on its thread; must not throw. */
public interface TurnListener {
  /** The loop's wait has ended. */
  void onTurnBegin();

  /** The loop is about to wait again, or to end. */
  void onTurnEnd();
}
