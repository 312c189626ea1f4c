package dev.peregrine.server.turn;

import dev.peregrine.server.loop.EventLoop;

/** A connection, as far as its turns know it. On the loop's thread, unless a method says other. */
public interface TurnHolder {
  /** Returns the loop that the turns take place on; callable from any thread. */
  EventLoop loop();

  /** Returns true if there are no more turns. */
  boolean isClosed();

  /** Returns true if received bytes wait for a turn. */
  boolean wantsTurn();

  /** Runs work in a turn; after the close, without one. */
  void turn(Turn work);

  /** Ends the connection, because work has failed within a turn that has begun before. */
  void onTaskFailure(Throwable failure);
}
