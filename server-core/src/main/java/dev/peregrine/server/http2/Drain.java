package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.observe.CloseReason;
import java.util.concurrent.TimeUnit;

/**
 * The orderly end of a connection in two steps (RFC 9113 section 6.8). The first GOAWAY names no
 * stream, because requests may be on their way. When the client has acknowledged a PING that
 * followed it, or some time later, the second one names the last stream that is handled.
 */
final class Drain {
  static final long PING_DATA = 0x70_65_72_65_67_72_69_6eL; // any value
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int NOT_BEGUN = 0;
  private static final int ANNOUNCED = 1;
  private static final int FINAL = 2;

  private final Http2Connection owner;
  private int state = NOT_BEGUN;
  private int lastId;
  private CloseReason reason = CloseReason.LAST_RESPONSE;
  private long finalNanos; // when the second step follows at the latest

  Drain(Http2Connection owner) {
    this.owner = owner;
  }

  boolean isBegun() {
    return state != NOT_BEGUN;
  }

  /** Returns true if no further stream is handled. */
  boolean isFinal() {
    return state == FINAL;
  }

  /** Returns the last stream that is handled, once that is final. */
  int lastId() {
    return lastId;
  }

  /**
   * Begins the end of the connection.
   *
   * @param closing why it will be closed, unless the server is shut down
   */
  void begin(CloseReason closing) {
    Connection connection = owner.connection();
    if (state != NOT_BEGUN || !connection.isOpen()) {
      return;
    }
    state = ANNOUNCED;
    reason = closing;
    owner.begin();
    Control control = owner.http2().control;
    control.goAway(connection.out(), Integer.MAX_VALUE, ErrorCode.NO_ERROR);
    control.ping(connection.out(), PING_DATA);
    finalNanos = connection.nanos() + PATIENCE_NANOS;
    connection.setDeadline(Deadline.KEEP_ALIVE, finalNanos);
  }

  /**
   * The client has answered the PING, so all requests from before have arrived. Returns false if no
   * answer was expected.
   */
  boolean onPingAcknowledged() {
    if (state != ANNOUNCED) {
      return false;
    }
    end();
    return true;
  }

  /** The client has had its time to answer. */
  void onDeadline() {
    if (state == ANNOUNCED) {
      end();
    }
    proceed();
  }

  private void end() {
    Connection connection = owner.connection();
    lastId = owner.handledId();
    state = FINAL;
    owner.http2().control.goAway(connection.out(), lastId, ErrorCode.NO_ERROR);
    proceed();
  }

  /** Sets the deadline of the connection, or closes it if it is drained and serves no stream. */
  void proceed() {
    Connection connection = owner.connection();
    if (state == FINAL && owner.streams().isEmpty()) {
      boolean shutdown = owner.http2().context.isEnding();
      connection.closeAfterFlush(shutdown ? CloseReason.SHUTDOWN : reason);
    } else if (state == ANNOUNCED) {
      connection.setDeadline(Deadline.KEEP_ALIVE, finalNanos);
    } else {
      connection.clearDeadline();
    }
  }
}
