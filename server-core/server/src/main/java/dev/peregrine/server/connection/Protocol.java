package dev.peregrine.server.connection;

import dev.peregrine.server.layer.LayerFailedException;
import dev.peregrine.server.memory.InboundBuffer;
import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a connection's bytes. One instance serves all connections of an event loop; its
 * state of a connection is {@link Connection#attachment}. All methods are called on the loop's
 * thread, in the connection's turn unless they say otherwise. Bytes that are sent in a turn leave
 * in one write at its end.
 */
public interface Protocol {
  /** A connection was accepted. */
  default void onOpen(Connection connection) {}

  /**
   * Leaves the handler that runs in this connection's turn, because another thread takes the loop:
   * as if it had called {@code async}. It keeps the memory that it may read. If this throws,
   * nothing has changed.
   */
  default void leaveHandler(Connection connection, InboundBuffer in) {
    throw new UnsupportedOperationException("no handler runs");
  }

  /**
   * Consumes as many bytes as possible. Called when bytes may have arrived, or when the protocol
   * may be able to continue.
   */
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
   * {@link ConnectionInput#watchEnd}. {@link #onInputEnd} follows when they have been read.
   */
  default void onInputEndAhead(Connection connection) {}

  /**
   * Returns the least number of bytes that will be consumed as soon as they arrive. If they are
   * many, a read may bring more than usual, but not more than these. Called before a read of a
   * connection with an attachment; 0 by default.
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
   * Returns true if the client sends less than the required rate. Called about once a second for a
   * connection with an attachment. Not in a turn. False by default.
   */
  default boolean isSendingTooSlowly(Connection connection, long nowNanos) {
    return false;
  }

  /**
   * The client sends less than the required rate.
   *
   * @return true if it must be called again soon, because ending all that is late in one turn would
   *     make other connections wait
   */
  default boolean onSendingTooSlowly(Connection connection) throws IOException {
    return false;
  }

  /**
   * Returns true if the protocol has bytes that could be sent now, and nothing will have it send
   * them: only a fault of the server can cause that. {@link #onWritable} follows then. Called about
   * once a second for an open connection with an attachment of which nothing is unsent. Not in a
   * turn. False by default.
   */
  default boolean isOutputForgotten(Connection connection) {
    return false;
  }

  /** The client receives less than the required rate; a reset follows. */
  default void onTakingTooSlowly(Connection connection) {}

  /**
   * The server has more connections than it admits. This connection, which was opened just now,
   * should end soon, with a response if the protocol has one for overload. By default it is closed.
   *
   * @param connectionsMax the number of connections that the server admits
   */
  default void onOverload(Connection connection, int connectionsMax) {
    connection.close(CloseReason.OVERLOADED);
  }

  /** The handshake of a layer has failed, and the layer may have sent a response by itself. */
  default void onHandshakeFailed(Connection connection, LayerFailedException failure) {}

  /**
   * The idle connection is closed at the end of this turn, because others need its room. What is
   * sent now is the last that its client receives: whether its requests were handled, if the
   * protocol can report that. Allocates nothing, because the heap may be full.
   */
  default void onSpared(Connection connection) {}

  /**
   * The server is going to end, and still accepts connections: the peers of present ones should
   * move to others. Called once, before {@link #onLameDuck(Connection)} of each connection. Not in
   * a turn.
   */
  default void onLameDuck() {}

  /**
   * The server is going to end: the connection's peer should move to another one. The connection is
   * open. Not in a turn.
   */
  default void onLameDuck(Connection connection) {}

  /**
   * The server accepts no more connections. Called once, before {@link #onShutdown} of each
   * connection. Not in a turn.
   *
   * @param idleNanos the longest time that an idle connection may stay open from now on
   */
  default void onDrain(long idleNanos) {}

  /**
   * The server accepts no more connections: the connection should end as soon as that loses no
   * request. The connection is open. Not in a turn.
   */
  default void onShutdown(Connection connection) {}

  /** Returns what would be cut short if the connection were closed now. Not in a turn. */
  default Unfinished unfinished(Connection connection) {
    return Unfinished.NOTHING;
  }

  /**
   * Reports everything that would be cut short if the connection were closed now. A protocol with
   * several exchanges at a time reports each. Not in a turn.
   */
  default void reportUnfinished(Connection connection, Consumer<Unfinished> target) {
    target.accept(unfinished(connection));
  }

  /**
   * Returns the bytes of the loop's buffers that the connection holds for content that waits. Not
   * in a turn. 0 by default, for a protocol that holds little.
   */
  default long heldBytes(Connection connection) {
    return 0;
  }

  /**
   * Returns the bytes of content that have left such buffers so far, so that a full queue that
   * moves can be told from one that is stuck. Not in a turn. 0 by default.
   */
  default long movedBytes(Connection connection) {
    return 0;
  }

  /**
   * Describes the exchange that the connection is served with, such as a method and a path; null if
   * that isn't known. Called by another thread while the loop works, so it may see state that is
   * partly changed, and must not throw because of that.
   */
  default @Nullable String describe(Connection connection) {
    return null;
  }

  /** The connection has ended for the protocol; nothing can be sent any more. */
  default void onClose(Connection connection, CloseReason reason) {}
}
