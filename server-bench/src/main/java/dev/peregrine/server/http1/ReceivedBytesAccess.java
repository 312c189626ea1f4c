package dev.peregrine.server.http1;

import dev.peregrine.http.Bytes;
import dev.peregrine.server.memory.Block;

/** Lets benchmarks measure {@link ReceivedBytes}. */
public final class ReceivedBytesAccess {
  private ReceivedBytesAccess() {}

  /** A view of a range, until {@link #close}. */
  public static Bytes open(Block block, int from, int to) {
    return new ReceivedBytes(block, from, to);
  }

  /** Ends a view. */
  public static void close(Bytes view) {
    ((ReceivedBytes) view).close();
  }
}
