package dev.peregrine.server.http2.head;

import dev.peregrine.server.memory.OutboundQueue;

/** The receiver of response heads. */
public interface HeadTarget {
  /** Returns the queue of bytes to be sent; in the connection's turn. */
  OutboundQueue out();

  /** Returns the fields that the client's decoder keeps. */
  HeadTable table();
}
