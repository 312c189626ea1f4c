package dev.peregrine.server.exchange.message;

import dev.peregrine.http.BodyListener;

/** A listener for a thread that blocks for content, which waits in blocks of the loop meanwhile. */
public interface BlockingReader extends BodyListener {
  /** Gives all blocks back, because the exchange ends; on the loop. */
  void releaseBlocks();
}
