package dev.peregrine.bench.duel;

import java.lang.foreign.MemorySegment;

/** The view of {@link HeadPasses} on this side of its class loader. */
public interface Passes {
  /** Parses all heads, so many times over; returns the number of field lines seen, or -1. */
  long run(MemorySegment segment, int length, long rounds);
}
