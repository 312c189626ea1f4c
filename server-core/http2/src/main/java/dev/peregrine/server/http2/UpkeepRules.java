package dev.peregrine.server.http2;

import dev.peregrine.base.Range;
import java.time.Duration;

/**
 * How connections are kept open, and how long, in nanoseconds. Immutable.
 *
 * @param pingNanos of silence until the server sends a PING; {@link #NEVER} for none
 * @param answerNanos from the PING to any frame of the client
 * @param clientPingNanos between two PINGs of a client; 0 for any number
 * @param idleClientPings whether that also holds for a client without streams
 * @param ageNanos from the open to the drain; {@link #NEVER} for any age
 * @param graceNanos from the drain to the end
 */
record UpkeepRules(
    long pingNanos,
    long answerNanos,
    long clientPingNanos,
    boolean idleClientPings,
    long ageNanos,
    long graceNanos) {
  /** In place of a time. */
  static final long NEVER = Long.MAX_VALUE;

  /** Connections that are kept open by their requests alone. */
  static final UpkeepRules NONE = new UpkeepRules(NEVER, NEVER, 0, true, NEVER, NEVER);

  UpkeepRules withPings(Duration silence, Duration answer) {
    return new UpkeepRules(
        nanos("silence", silence),
        nanos("answer", answer),
        clientPingNanos,
        idleClientPings,
        ageNanos,
        graceNanos);
  }

  UpkeepRules withClientPings(Duration interval, boolean idle) {
    long nanos = nanos("interval", interval);
    return new UpkeepRules(pingNanos, answerNanos, nanos, idle, ageNanos, graceNanos);
  }

  UpkeepRules withAge(Duration age, Duration grace) {
    return new UpkeepRules(
        pingNanos,
        answerNanos,
        clientPingNanos,
        idleClientPings,
        nanos("age", age),
        nanos("grace", grace));
  }

  private static long nanos(String name, Duration time) {
    Range.checkPositive(name, time);
    return time.toNanos();
  }
}
