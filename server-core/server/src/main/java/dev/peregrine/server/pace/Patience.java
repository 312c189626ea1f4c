package dev.peregrine.server.pace;

import dev.peregrine.http.WebSocketOptions;
import dev.peregrine.server.config.WebSocketLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The times of one WebSocket: when a silent client gets a ping, when it is given up, and how slowly
 * a frame may arrive. Belongs to the loop; all times are those of the connection's clock.
 */
public final class Patience {
  /** A time that doesn't come. */
  public static final long NEVER = Long.MIN_VALUE;

  /** A judgement at the time that was awaited. */
  public enum Judgement {
    NOTHING,
    PING,
    IDLE,
    TOO_SLOW,
    CLOSE_OVERDUE
  }

  private final DataRate rate;
  private final long pingNanos; // 0 for never
  private final long idleNanos; // 0 for never
  private long receivedNanos;
  private long pingedNanos; // the last ping, or the last bytes
  private long rateUntilNanos = NEVER; // unless a frame is incomplete
  private long closeNanos = NEVER;

  public Patience(DataRate rate, WebSocketOptions options, WebSocketLimits limits) {
    this.rate = rate;
    this.pingNanos = nanos(options.pingInterval(), limits.pingInterval());
    this.idleNanos = nanos(options.idleTime(), limits.idleTime());
  }

  private static long nanos(@Nullable Duration own, Duration otherwise) {
    return (own == null ? otherwise : own).toNanos();
  }

  public void begin(long nowNanos) {
    receivedNanos = nowNanos;
    pingedNanos = nowNanos;
  }

  /**
   * Counts bytes that have arrived.
   *
   * @return true if the next time comes earlier than before
   */
  public boolean onBytes(int bytes, boolean unfinished, long nowNanos) {
    receivedNanos = nowNanos;
    pingedNanos = nowNanos;
    if (!unfinished || !rate.isLimited()) {
      rateUntilNanos = NEVER;
      return false;
    }
    boolean begins = rateUntilNanos == NEVER;
    rateUntilNanos =
        begins ? rate.begin(nowNanos, nowNanos) : rate.extend(rateUntilNanos, bytes, nowNanos);
    return begins;
  }

  public void awaitClose(long untilNanos) {
    closeNanos = untilNanos;
  }

  /** Returns the next time at which to judge; {@link #NEVER} for none. */
  public long dueNanos() {
    long due = closeNanos;
    if (closeNanos == NEVER) {
      due = earlier(due, idleNanos == 0 ? NEVER : receivedNanos + idleNanos);
      due = earlier(due, pingNanos == 0 ? NEVER : pingedNanos + pingNanos);
      due = earlier(due, rateUntilNanos);
    }
    return due;
  }

  private static long earlier(long one, long other) {
    if (one == NEVER || other == NEVER) {
      return one == NEVER ? other : one;
    }
    return one - other < 0 ? one : other;
  }

  /**
   * Judges the client.
   *
   * @param taking false if the server doesn't read the client, whose silence means nothing then
   */
  public Judgement judge(boolean closing, boolean taking, long nowNanos) {
    if (closing) {
      return isOver(closeNanos, nowNanos) ? Judgement.CLOSE_OVERDUE : Judgement.NOTHING;
    }
    if (!taking) {
      begin(nowNanos);
      rateUntilNanos = rateUntilNanos == NEVER ? NEVER : rate.begin(rateUntilNanos, nowNanos);
      return Judgement.NOTHING;
    }
    if (rateUntilNanos != NEVER && rate.isBelow(rateUntilNanos, nowNanos)) {
      return Judgement.TOO_SLOW;
    }
    if (idleNanos != 0 && isOver(receivedNanos + idleNanos, nowNanos)) {
      return Judgement.IDLE;
    }
    if (pingNanos != 0 && isOver(pingedNanos + pingNanos, nowNanos)) {
      pingedNanos = nowNanos;
      return Judgement.PING;
    }
    return Judgement.NOTHING;
  }

  private static boolean isOver(long atNanos, long nowNanos) {
    return nowNanos - atNanos >= 0;
  }
}
