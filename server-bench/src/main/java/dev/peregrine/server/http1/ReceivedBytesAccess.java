package dev.peregrine.server.http1;

import dev.peregrine.http.Bytes;
import dev.peregrine.server.memory.Block;

/** Lets benchmarks measure {@link ReceivedBytes}. */
public final class ReceivedBytesAccess {
  private final ReceivedBytes bytes = new ReceivedBytes();

  /** A view of a range, until {@link #close}. */
  public Bytes open(Block block, int from, int to) {
    bytes.open(block, from, to);
    return bytes;
  }

  /** Ends the view. */
  public void close() {
    bytes.close();
  }
}
