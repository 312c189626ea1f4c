package dev.peregrine.server.http2;

import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.http2.frame.Control;
import dev.peregrine.server.http2.frame.Violation;
import dev.peregrine.server.observe.CloseReason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The PINGs and the age of a connection, by {@link UpkeepRules}. Times are those of the clients'
 * clock. A connection isn't judged while so much is unsent that no frame is read.
 */
final class Upkeep {
  /** PINGs that may come early, as grpc-java permits. */
  private static final int EARLY_MAX = 2;

  private static final long IDLE_PING_NANOS = TimeUnit.HOURS.toNanos(2);
  private static final long PING_DATA = 0x6b_65_65_70_5f_6f_70_65L; // any value

  private final UpkeepRules rules;
  private final Connection connection;
  private final Drain drain;
  private final long openedNanos;
  private final long ageNanos;
  private long heardNanos; // the last frame of the client
  private long pingedNanos;
  private boolean hasPinged;
  private boolean awaitsAnswer;
  private long clientPingNanos; // the last PING of the client that wasn't early
  private boolean clientPinged;
  private long progressAtPing;
  private int earlyPings;

  /**
   * Begins with a connection.
   *
   * @param jitter 0 to 1; 0.5 for the age that the rules have
   */
  Upkeep(UpkeepRules rules, Connection connection, Drain drain, double jitter) {
    this.rules = rules;
    this.connection = connection;
    this.drain = drain;
    this.openedNanos = connection.nanos();
    this.heardNanos = openedNanos;
    this.ageNanos = ageNanos(rules.ageNanos(), jitter);
  }

  /** Returns an age that is up to a tenth shorter or longer, so that not all end at once. */
  static long ageNanos(long nanos, double jitter) {
    return nanos == UpkeepRules.NEVER ? nanos : (long) (nanos * (0.9 + 0.2 * jitter));
  }

  /** The client has sent a frame. */
  void onFrame() {
    heardNanos = connection.nanos();
    awaitsAnswer = false;
  }

  /** Returns true for the acknowledgement of a PING of {@link #proceed}. */
  boolean isAnswer(long data) {
    return data == PING_DATA && hasPinged;
  }

  /**
   * Judges a PING of the client.
   *
   * @param progress changes with every request, and with content that is sent
   * @return a violation if it is one too many
   */
  @Nullable Violation onPing(long progress, boolean hasStreams) {
    long nowNanos = connection.nanos();
    if (progress != progressAtPing) {
      progressAtPing = progress;
      clientPinged = false;
      earlyPings = 0;
    }
    long least = rules.clientPingNanos();
    if (!hasStreams && !rules.idleClientPings()) {
      least = Math.max(least, IDLE_PING_NANOS);
    }
    if (!clientPinged || nowNanos - clientPingNanos >= least) {
      clientPinged = true;
      clientPingNanos = nowNanos;
      return null;
    }
    earlyPings++;
    return earlyPings > EARLY_MAX ? Violation.PINGS : null;
  }

  /** Returns true if {@link #proceed} has something to do. */
  boolean isDue(long nowNanos) {
    return isSilent(nowNanos) || isOld(nowNanos) || isTooOld(nowNanos);
  }

  private boolean isSilent(long nowNanos) {
    return awaitsAnswer
        ? nowNanos - pingedNanos >= rules.answerNanos()
        : nowNanos - heardNanos >= rules.pingNanos();
  }

  private boolean isOld(long nowNanos) {
    return nowNanos - openedNanos >= ageNanos && !drain.isBegun();
  }

  private boolean isTooOld(long nowNanos) {
    return nowNanos - openedNanos - ageNanos >= rules.graceNanos() && ageNanos != UpkeepRules.NEVER;
  }

  /** Sends a PING, begins the drain, or ends the connection, as it is due; in a turn. */
  void proceed(Control control, long nowNanos) {
    if (isTooOld(nowNanos)) {
      drain.endNow();
    } else if (isOld(nowNanos)) {
      drain.begin(CloseReason.LAST_RESPONSE);
    } else if (isSilent(nowNanos) && awaitsAnswer) {
      drain.lose(rules.answerNanos());
    } else if (isSilent(nowNanos)) {
      hasPinged = true;
      awaitsAnswer = true;
      pingedNanos = nowNanos;
      drain.sendPreface();
      control.ping(connection.out(), PING_DATA);
    }
  }
}
