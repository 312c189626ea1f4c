package dev.peregrine.server.http2;

import dev.peregrine.base.TimeText;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.Deadline;
import dev.peregrine.server.http2.frame.ErrorCode;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.http2.stream.LoopParts;
import dev.peregrine.server.observe.CloseReason;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection: in order and in two steps (RFC 9113 section 6.8), or at once for a fault
 * of the client. The first GOAWAY names no stream, because requests may be on their way. When the
 * client has acknowledged a PING that followed it, or some time later, the second one names the
 * last stream that is handled.
 *
 * <pre>
 *   NOT_BEGUN ──begin──▶ ANNOUNCED ──acknowledged, or time over──▶ FINAL
 * </pre>
 */
final class Drain {
  private static final long PING_DATA = 0x70_65_72_65_67_72_69_6eL; // any value
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int NOT_BEGUN = 0;
  private static final int ANNOUNCED = 1;
  private static final int FINAL = 2;

  private final LoopParts loop;
  private final Connection connection;
  private final ServerPreface preface;
  private final Streams streams;
  private int state = NOT_BEGUN;
  private int lastId;
  private CloseReason reason = CloseReason.LAST_RESPONSE;
  private long finalNanos; // when the second step follows at the latest

  Drain(LoopParts loop, Connection connection, ServerPreface preface, Streams streams) {
    this.loop = loop;
    this.connection = connection;
    this.preface = preface;
    this.streams = streams;
  }

  /** Sends the server's first frames, which precede any GOAWAY, if they weren't sent. */
  void sendPreface() {
    preface.send();
  }

  boolean isBegun() {
    return state != NOT_BEGUN;
  }

  /** Returns true if no further stream is handled. */
  boolean isFinal() {
    return state == FINAL;
  }

  /**
   * Begins the end of the connection.
   *
   * @param closing why it will be closed, unless the server is shut down
   */
  void begin(CloseReason closing) {
    if (state != NOT_BEGUN || !connection.isOpen()) {
      return;
    }
    state = ANNOUNCED;
    reason = closing;
    preface.send();
    goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR);
    loop.control().ping(connection.out(), PING_DATA);
    finalNanos = connection.nanos() + PATIENCE_NANOS;
    connection.setDeadline(Deadline.KEEP_ALIVE, finalNanos);
  }

  /**
   * A PING was acknowledged: if it is that of this end, all requests from before have arrived.
   * Returns false if it isn't, or was acknowledged before.
   */
  boolean onPingAcknowledged(long data) {
    if (data != PING_DATA || state != ANNOUNCED) {
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
    lastId = streams.lastId();
    state = FINAL;
    goAway(lastId, ErrorCode.NO_ERROR);
    proceed();
  }

  /** Sets the deadline of the connection, or closes it if it is drained and serves no stream. */
  void proceed() {
    if (state == FINAL && streams.isEmpty()) {
      boolean shutdown = loop.context().isEnding();
      connection.closeAfterFlush(shutdown ? CloseReason.SHUTDOWN : reason);
    } else if (state == ANNOUNCED) {
      connection.setDeadline(Deadline.KEEP_ALIVE, finalNanos);
    } else {
      connection.clearDeadline();
    }
  }

  /** Sends the last GOAWAY at once: the client may send all later requests elsewhere. */
  void nameLastStream() {
    preface.send();
    goAway(handledId(), ErrorCode.NO_ERROR);
  }

  /** Ends the connection and its streams, whose time is over. */
  void endNow() {
    if (!connection.isOpen()) {
      return;
    }
    preface.send();
    goAway(handledId(), ErrorCode.NO_ERROR);
    connection.breakOff(CloseReason.LAST_RESPONSE);
  }

  /** Ends a connection whose client hasn't answered a PING. */
  void lose(long limitNanos) {
    String limit = Duration.ofNanos(limitNanos).toString();
    loop.context().log().closed(connection, "no answer to a PING", limit);
    connection.abort(CloseReason.CLIENT_TOO_SLOW);
  }

  /** Ends the connection for a fault of the client. */
  void fail(Violation violation) {
    if (!connection.isOpen()) {
      return;
    }
    preface.send();
    loop.context().log().closed(connection, violation.text(), limit(violation));
    String debug = violation == Violation.PINGS ? "too_many_pings" : ""; // which clients expect
    loop.control().goAway(connection.out(), handledId(), violation.code(), debug);
    connection.breakOff(
        violation.code() == ErrorCode.ENHANCE_YOUR_CALM
            ? CloseReason.CLIENT_FLOODED
            : CloseReason.PROTOCOL_VIOLATED);
  }

  /** Returns the last stream that was or will be handled. */
  private int handledId() {
    return state == FINAL ? lastId : streams.lastId();
  }

  private void goAway(int lastStream, int code) {
    loop.control().goAway(connection.out(), lastStream, code);
  }

  /**
   * Returns the limit that was exceeded, with the name of its option; null if the violation isn't
   * about one.
   */
  private @Nullable String limit(Violation violation) {
    ServerLimits limits = loop.context().limits();
    return switch (violation) {
      case FLOOD -> limits.http2().floodPointsMax() + " points (http2.floodPointsMax)";
      case BLOCK_TOO_LARGE ->
          loop.settings().blockBytesMax()
              + " bytes (parser.requestLineBytesMax, parser.headerBytesMax, parser.fieldsMax)";
      case PRIORITIES_TOO_MANY -> limits.http2().streamsMax() + " streams (http2.streamsMax)";
      case BLOCK_TOO_SLOW, SETTINGS_UNACKNOWLEDGED ->
          TimeText.of(limits.requestHeadTime()) + " (requestHeadTime)";
      default -> null;
    };
  }
}
