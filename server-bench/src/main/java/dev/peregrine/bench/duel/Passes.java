package dev.peregrine.bench.duel;

import java.lang.foreign.MemorySegment;

/** The interface of {@link HeadPasses} outside of its class loader. */
public interface Passes {
  /** Parses all heads for a number of rounds; returns the number of field lines seen, or -1. */
  long run(MemorySegment segment, int length, long rounds);
}
