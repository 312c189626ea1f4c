package dev.peregrine.server.connection;

import java.util.concurrent.TimeUnit;

/**
 * A rate below which a client may not fall, kept as one moment for each connection: the time when
 * its credit is used up. Every byte adds the time that it may take; what was sent or taken quickly
 * gives credit for no more than a buffer's worth, so that a burst doesn't pay for hours of silence.
 */
public final class DataRate {
  private final long bytesPerSecondMin;
  private final long graceNanos;
  private final long creditNanosMax;

  /**
   * A rate.
   *
   * @param bytesPerSecondMin 0 for no limit
   * @param graceNanos credit at the beginning
   * @param creditBytesMax bytes that a client may be ahead or behind
   */
  public DataRate(long bytesPerSecondMin, long graceNanos, int creditBytesMax) {
    this.bytesPerSecondMin = bytesPerSecondMin;
    this.graceNanos = graceNanos;
    this.creditNanosMax = Math.max(graceNanos, nanos(creditBytesMax));
  }

  /** When a client is too slow of which no byte comes. */
  public long begin(long nowNanos) {
    return nowNanos + graceNanos;
  }

  /** When a client is too slow that takes none of so many waiting bytes. */
  public long begin(long nowNanos, long waitingBytes) {
    return nowNanos + Math.clamp(nanos(waitingBytes), graceNanos, creditNanosMax);
  }

  /** When the client is too slow, now that so many bytes have come or gone. */
  public long extend(long untilNanos, long bytes, long nowNanos) {
    long extended = untilNanos + nanos(bytes);
    long latest = nowNanos + creditNanosMax;
    return extended - latest < 0 ? extended : latest;
  }

  /** Whether the credit is used up. */
  public boolean isBelow(long untilNanos, long nowNanos) {
    return bytesPerSecondMin > 0 && nowNanos - untilNanos > 0;
  }

  private long nanos(long bytes) {
    return bytesPerSecondMin == 0
        ? 0
        : (long) ((double) bytes / bytesPerSecondMin * TimeUnit.SECONDS.toNanos(1));
  }
}
