package dev.peregrine.server.loop;

import java.util.List;

/**
 * Finds another thread for a loop if a handler keeps its own: the watchdog's part of that loop.
 * While it dozes, nothing checks the loop.
 */
public interface Relief {
  /** Returns true if {@link #wake} is needed; at each turn of the loop. */
  boolean isDozing();

  /** Lets the checks begin again, because the loop has something to do. */
  void wake();

  /** Begins the checks that parked threads need; callable from any thread. */
  void beginWatch();

  /**
   * Has another thread take the loop, unless too many are away; callable from any thread.
   *
   * @param run the run of the application's code that takes too long
   */
  void request(int run);

  /** The calling thread's handler has returned, after another thread has taken the loop. */
  void onReturn(long nowNanos);

  /** Has the calling thread, which was relieved, wait for loops to take over, for some seconds. */
  void spare();

  /** Returns the threads that run the loop, and its handlers that have been left. */
  List<Thread> threads();
}
