package dev.peregrine.server.connection;

import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a connection's bytes. One instance serves all connections of an event loop; what
 * it has to remember about one lies in {@link Connection#attachment}. All calls come on the loop's
 * thread, in the connection's turn unless they say otherwise: what is sent goes out in one write at
 * its end.
 */
public interface Protocol {
  /** A connection was accepted. */
  default void onOpen(Connection connection) {}

  /** Bytes may have arrived, or it may be possible to continue: consumes as many as it can. */
  void onInput(Connection connection, InboundBuffer in) throws IOException;

  /**
   * The client has sent the end of its stream; unconsumed bytes are in the buffer. By default the
   * connection is closed once all is sent.
   */
  default void onInputEnd(Connection connection, InboundBuffer in) throws IOException {
    connection.closeAfterFlush(CloseReason.CLIENT_CLOSED);
  }

  /**
   * The client has ended its stream, and bytes before the end still have to be read; only after
   * {@link Connection#watchInputEnd}. {@link #onInputEnd} follows when they have been.
   */
  default void onInputEndAhead(Connection connection) {}

  /**
   * How many bytes at least will be consumed as soon as they come: if they are many, a read may
   * bring more at a time than usual, but not more than these. Asked before a read, if something is
   * remembered about the connection. By default nothing is known.
   */
  default long expectedBytes(Connection connection) {
    return 0;
  }

  /** The unsent bytes were above the high-water mark and have fallen below the low-water mark. */
  default void onWritable(Connection connection) throws IOException {}

  /** The connection is read again, after a time in which too much was unsent. */
  default void onReadingAgain(Connection connection) {}

  /** A deadline that the protocol has set for the connection has passed. */
  default void onDeadline(Connection connection, Deadline deadline) throws IOException {}

  /**
   * Returns true if the client sends less than the required rate; called about once a second, if
   * something is remembered about the connection. Not in a turn. By default it may be as slow as it
   * likes.
   */
  default boolean isSendingTooSlowly(Connection connection, long nowNanos) {
    return false;
  }

  /** The client sends less than the required rate. */
  default void onSendingTooSlowly(Connection connection) throws IOException {}

  /** The client receives less than the required rate; a reset follows. */
  default void onTakingTooSlowly(Connection connection) {}

  /**
   * The server has more connections than it admits. This one, which was opened just now, is to end
   * soon, with a response if the protocol has one for that. By default it is closed.
   *
   * @param connectionsMax the number of connections that the server admits
   */
  default void onOverload(Connection connection, int connectionsMax) {
    connection.close(CloseReason.OVERLOADED);
  }

  /**
   * The server has begun to shut down. Called once, before {@link #onShutdown} of each connection.
   * Not in a turn.
   *
   * @param idleNanos the longest time that a connection with nothing to do may stay open from now
   *     on
   */
  default void onDrain(long idleNanos) {}

  /**
   * The server has begun to shut down: the connection should end as soon as nothing is lost by it.
   * The connection is open. Not in a turn.
   */
  default void onShutdown(Connection connection) {}

  /** Returns what would be cut short if the connection were closed now. Not in a turn. */
  default Unfinished unfinished(Connection connection) {
    return Unfinished.NOTHING;
  }

  /**
   * Describes what the connection is being served with, such as a method and a path; null if that
   * isn't known. Called by another thread while the loop is at work: whatever it finds may be half
   * changed, and it must not throw for that.
   */
  default @Nullable String describe(Connection connection) {
    return null;
  }

  /** The connection has ended for the protocol; nothing can be sent any more. */
  default void onClose(Connection connection, CloseReason reason) {}
}
