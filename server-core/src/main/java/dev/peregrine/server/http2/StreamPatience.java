package dev.peregrine.server.http2;

import dev.peregrine.server.connection.DataRate;
import dev.peregrine.server.exchange.Exchange;

/**
 * How long a stream waits for the application's response, and for its client to open a window. The
 * second is judged by the rate at which the client takes content, like a connection whose socket
 * takes none; time in which the server could have sent doesn't count.
 */
final class StreamPatience {
  private final DataRate rate;
  private long responseDueNanos;
  private boolean stalled; // a window held content back at the last call
  private long takingDueNanos; // when the client's credit is used up

  StreamPatience(DataRate rate) {
    this.rate = rate;
  }

  void begin(long nowNanos) {
    responseDueNanos = Exchange.NOT_DUE;
    stalled = false;
    takingDueNanos = nowNanos;
  }

  /** Sets when the response must have begun, or {@link Exchange#NOT_DUE}. */
  void expectResponse(long dueNanos) {
    responseDueNanos = dueNanos;
  }

  /** Returns true if the response should have begun. */
  boolean isResponseLate(long nowNanos) {
    return responseDueNanos != Exchange.NOT_DUE && nowNanos - responseDueNanos >= 0;
  }

  /** Counts content that the windows have let pass. */
  void onTaken(long bytes, long nowNanos) {
    takingDueNanos = rate.extend(takingDueNanos, bytes, nowNanos);
  }

  /**
   * Judges the client's windows; called about once a second.
   *
   * @param isStalled whether one holds content back now
   * @return true if one has held content back for too long
   */
  boolean judgeTaking(boolean isStalled, long nowNanos) {
    if (isStalled && !stalled) {
      takingDueNanos = rate.begin(takingDueNanos, nowNanos);
    }
    stalled = isStalled;
    return isStalled && rate.isBelow(takingDueNanos, nowNanos);
  }
}
