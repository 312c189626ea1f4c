package dev.peregrine.server.connection;

import dev.peregrine.server.observe.CloseReason;
import java.io.IOException;

/** The check of each connection that a {@link ConnectionGroup} makes about once a second. */
final class ConnectionSweep {
  private static final Deadline[] DEADLINES = Deadline.values();

  private ConnectionSweep() {}

  /**
   * Judges the client by the group's clock; not in a turn. Returns true if a deadline had passed.
   */
  static boolean sweep(Connection swept, long nowNanos) {
    swept.handOverMissedTurn();
    boolean judged =
        swept.isDue(nowNanos)
            || swept.isTakingTooSlowly(nowNanos)
            || isSendingTooSlowly(swept, nowNanos)
            || swept.needsWrite();
    if (!judged) {
      return false;
    }
    try {
      InboundBuffer in = swept.begin();
      judge(swept, in, nowNanos);
      swept.end(in);
    } catch (IOException failure) {
      swept.onLost(swept.group.inbound, failure);
    } catch (Throwable failure) {
      swept.onFailure(failure);
    }
    return true;
  }

  /** Judges a client that seems to be late, after reading and writing once more. */
  private static void judge(Connection swept, InboundBuffer in, long nowNanos) throws IOException {
    if (swept.unsent != null) {
      swept.flush(true);
      swept.resumeIfWritable(in);
    }
    if (swept.mayRead(swept.unconsumedBytes()) && !in.isLent()) {
      swept.read(in);
    }
    if (swept.isTakingTooSlowly(nowNanos)) {
      swept.protocol().onTakingTooSlowly(swept);
      swept.abort(CloseReason.CLIENT_TOO_SLOW);
    } else if (swept.isDue(nowNanos)) {
      swept.clearDeadline();
      onDeadline(swept);
    } else if (isSendingTooSlowly(swept, nowNanos)) {
      swept.protocol().onSendingTooSlowly(swept);
      swept.goOn(in);
    }
  }

  private static void onDeadline(Connection due) throws IOException {
    if (due.isOpen()) {
      due.protocol().onDeadline(due, DEADLINES[due.deadline]);
    } else {
      ConnectionEnd.onDeadline(due);
    }
  }

  /**
   * Returns true if the client sends too slowly; false while the connection isn't read, because the
   * client can't send then.
   */
  private static boolean isSendingTooSlowly(Connection swept, long nowNanos) {
    return swept.attachment() != null
        && !swept.blocked
        && !swept.wantsTurn()
        && swept.isOpen()
        && swept.protocol().isSendingTooSlowly(swept, nowNanos);
  }
}
