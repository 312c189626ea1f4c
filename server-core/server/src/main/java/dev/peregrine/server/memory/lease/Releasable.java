package dev.peregrine.server.memory.lease;

/** A thing that a queue holds besides its bytes, until these have gone: a file or a lease. */
public interface Releasable {
  /** Ends one use. Doesn't throw, except if there was none. */
  void release();
}
