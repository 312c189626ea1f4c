package dev.peregrine.server.connection;

/** Moves the time that clients are judged by, for tests of other packages. */
public final class GroupTime {
  private GroupTime() {}

  /** Lets the time of a number of ticks pass; on the loop's thread. */
  public static void skipTicks(ConnectionGroup group, long count) {
    for (long i = 0; i < count; i++) {
      group.sweep.skipTick();
    }
  }

  /** Returns the length of a tick in nanoseconds. */
  public static long tickNanos(ConnectionGroup group) {
    return group.clock.tickNanos;
  }
}
