package dev.peregrine.server.connection;

import java.io.IOException;

/**
 * What a connection's bytes mean. One instance serves all connections of an event loop; what it has
 * to remember about one lies in {@link Connection#attachment}. All calls come on the loop's thread,
 * in the connection's turn: what is sent goes out in one write at the end of the turn.
 */
public interface Protocol {
  /** A connection was accepted. */
  void onOpen(Connection connection);

  /** Bytes may have come, or it may be possible to go on: consumes as many as it can. */
  void onInput(Connection connection, InboundBuffer in) throws IOException;

  /** The client has sent the end of its stream; what it left unconsumed is in the buffer. */
  void onInputEnd(Connection connection, InboundBuffer in) throws IOException;

  /** What was unsent above the high-water mark has fallen below the low-water mark. */
  void onWritable(Connection connection) throws IOException;

  /** The deadline that was set has passed. */
  void onDeadline(Connection connection, Deadline deadline) throws IOException;

  /** Called about once a second; for limits that are rates. */
  void onSweep(Connection connection, long nowNanos) throws IOException;

  /** The connection is closed; nothing can be sent any more. */
  void onClose(Connection connection, CloseReason reason);
}
