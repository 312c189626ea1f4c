package dev.peregrine.server.connection;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.util.function.Consumer;

/** The steps of a {@link Connection} from CLOSING to CLOSED. */
final class ConnectionEnd {
  private static final CloseReason[] CLOSE_REASONS = CloseReason.values();

  private ConnectionEnd() {}

  /** Reports what would be cut short if a connection were closed now. Outside of a turn. */
  static void reportUnfinished(Connection connection, Consumer<Unfinished> target) {
    if (connection.state == ConnectionState.OPEN) {
      connection.protocol().reportUnfinished(connection, target);
    } else if (connection.state == ConnectionState.CLOSING) {
      target.accept(Unfinished.RESPONSE);
    }
  }

  /**
   * Ends a connection whose layer has failed. The layer may still send an alert, so that the end of
   * the stream follows in order.
   */
  static void loseLayer(Connection ending, LayerFailedException failure) {
    ConnectionRecord record = ending.record;
    FailedHandshake handshake = failure.handshake();
    if (record != null && handshake != null) {
      record.failHandshake(handshake);
    }
    if (handshake != null) {
      ending.protocol().onHandshakeFailed(ending, failure);
    }
    ending.dropPending();
    if (ending.brokenOff || ending.state == ConnectionState.LINGERING) {
      ending.close(failure.reason());
    } else {
      ending.breakOff(failure.reason());
    }
  }

  /** Begins to linger, because all bytes have been sent. */
  static void halfClose(Connection ending) throws IOException {
    ending.endsWithReset &= ending.brokenOff; // otherwise all content was sent
    boolean resets = ending.endsWithReset;
    if (ending.isInputEnded() && !resets) {
      close(ending);
      return;
    }
    if (!resets) {
      ending.socket.shutdownOutput();
    }
    ending.state = ConnectionState.LINGERING;
    ending.inputMax = (int) Math.min(Integer.MAX_VALUE, ending.group.limits.lingerBytesMax() + 1L);
    ending.blocked = false;
    ending.awaited = false;
    boolean awaitsAcknowledgement =
        resets && ending.socket.unacknowledgedBytes() != StreamSocket.UNKNOWN;
    setDeadline(ending, awaitsAcknowledgement);
  }

  /** Discards received bytes; a negative count is the end of the stream. */
  static void linger(Connection ending, InboundBuffer in, int count) {
    in.consumeAll();
    ending.inputMax -= Math.max(count, 0);
    ending.inputEnded |= count < 0;
    if (ending.inputMax == 0 || (ending.inputEnded && !ending.endsWithReset)) {
      close(ending);
    }
  }

  /** Handles a deadline of a connection that isn't open. */
  static void onDeadline(Connection ending) {
    if (ending.isStillTaking()) {
      setDeadline(ending, ending.endsWithReset);
    } else {
      close(ending);
    }
  }

  private static void setDeadline(Connection ending, boolean soon) {
    long lingerNanos = soon ? 0 : ending.group.lingerNanos;
    ending.setDeadline(Deadline.LINGER, ending.nanos() + lingerNanos);
  }

  /**
   * Returns the reason to report for a connection that is being closed. It is the first reason if
   * all bytes were sent or a response was broken off, unless the server shuts down; otherwise the
   * last.
   */
  static CloseReason firstReason(Connection closed, CloseReason last) {
    boolean isDecided =
        closed.state == ConnectionState.LINGERING
            || (closed.state == ConnectionState.CLOSING && closed.brokenOff);
    return isDecided && last != CloseReason.SHUTDOWN ? CLOSE_REASONS[closed.closeReason] : last;
  }

  private static void close(Connection ending) {
    ending.close(CLOSE_REASONS[ending.closeReason]);
  }

  /**
   * Releases the memory of a connection. Each field is cleared before its memory is released, so
   * that nothing is released twice.
   */
  @SuppressWarnings("ReferenceEquality") // connections are compared by identity
  static void releaseMemory(Connection closed) {
    ConnectionGroup group = closed.group;
    Block received = closed.carried;
    OutboundQueue queue = closed.unsent;
    closed.carried = null;
    closed.unsent = null;
    if (group.current == closed) {
      group.inbound.consumeAll();
      group.outbound().clear();
    }
    if (received != null) {
      group.loop.bufferPool().release(received);
    }
    if (queue != null) {
      group.takeBack(queue);
    }
  }
}
