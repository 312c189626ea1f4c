package dev.peregrine.server.connection;

import dev.peregrine.base.Incident;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.transport.Relieved;
import java.io.IOException;

/** The check of each connection that a {@link ConnectionGroup} makes about once a second. */
final class ConnectionSweep {
  /** The client wasn't late. */
  static final int NOT_DUE = 0;

  /** A deadline had passed. */
  static final int DUE = 1;

  /** More is late than was ended now, which took as long as the end of several connections. */
  static final int AGAIN = 8;

  private static final byte UNKNOWN_INTEREST = -1; // so that the socket is told again
  private static final Deadline[] DEADLINES = Deadline.values();

  private ConnectionSweep() {}

  /**
   * Judges the client by the group's clock; not in a turn. Returns {@link #NOT_DUE}, {@link #DUE}
   * or {@link #AGAIN}.
   */
  static int sweep(Connection swept, long nowNanos) {
    TurnQueue waiting = swept.turns;
    if (waiting != null && waiting.handOverIfLost(nowNanos)) {
      swept.group.loop.report(Incident.TURN_LOST, null);
    }
    boolean forgotten = isOutputForgotten(swept);
    if (forgotten) {
      swept.group.loop.report(Incident.OUTPUT_LOST, null);
    }
    boolean judged =
        forgotten
            || swept.isDue(nowNanos)
            || swept.isTakingTooSlowly(nowNanos)
            || isSendingTooSlowly(swept, nowNanos)
            || swept.isOverdue(nowNanos)
            || swept.needsWrite();
    if (!judged) {
      return NOT_DUE;
    }
    boolean again = false;
    try {
      InboundBuffer in = swept.begin();
      if (forgotten) {
        sendForgotten(swept, in);
      }
      again = judge(swept, in, nowNanos);
      swept.end(in);
    } catch (IOException failure) {
      swept.onLost(swept.group.inbound, failure);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      swept.onFailure(failure);
    }
    return again ? AGAIN : DUE;
  }

  /** Gives a connection a turn in which it is read, whether it is ready or not; not in a turn. */
  static void readOnce(Connection read) {
    try {
      InboundBuffer in = read.begin();
      if (read.mayRead(read.unconsumedBytes()) && !in.isLent()) {
        read.read(in);
      }
      read.end(in);
    } catch (IOException failure) {
      read.onLost(read.group.inbound, failure);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      read.onFailure(failure);
    }
  }

  /**
   * Judges a client that seems to be late, after reading and writing once more. Returns true if it
   * must be judged again soon.
   */
  private static boolean judge(Connection swept, InboundBuffer in, long nowNanos)
      throws IOException {
    boolean again = false;
    if (swept.unsent != null) {
      swept.flush(true);
      swept.resumeIfWritable(in);
    }
    if (swept.mayRead(swept.unconsumedBytes()) && !in.isLent()) {
      swept.read(in);
    }
    swept.expire(nowNanos);
    if (swept.isTakingTooSlowly(nowNanos)) {
      swept.protocol().onTakingTooSlowly(swept);
      swept.abort(CloseReason.CLIENT_TOO_SLOW);
    } else if (swept.isDue(nowNanos)) {
      swept.clearDeadline();
      onDeadline(swept);
    } else if (isSendingTooSlowly(swept, nowNanos)) {
      again = swept.protocol().onSendingTooSlowly(swept);
      swept.goOn(in);
    }
    return again;
  }

  private static void onDeadline(Connection due) throws IOException {
    if (due.isOpen()) {
      due.protocol().onDeadline(due, DEADLINES[due.deadline]);
    } else {
      ConnectionEnd.onDeadline(due);
    }
  }

  /** Sends what nothing would have sent, as if the socket had become writable. */
  private static void sendForgotten(Connection swept, InboundBuffer in) throws IOException {
    swept.interest = UNKNOWN_INTEREST;
    swept.awaited = true;
    swept.flush(true);
    swept.resumeIfWritable(in);
  }

  /** Returns true if output waits and nothing would have it sent. */
  private static boolean isOutputForgotten(Connection swept) {
    if (swept.unsent != null || swept.awaited || !swept.isOpen()) {
      return swept.socket.isWriteForgotten(swept.unsent != null || swept.awaited);
    }
    return swept.socket.isWriteForgotten(false)
        || (swept.attachment() != null
            && !swept.wantsTurn()
            && swept.protocol().isOutputForgotten(swept));
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
