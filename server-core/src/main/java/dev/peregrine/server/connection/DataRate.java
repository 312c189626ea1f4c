package dev.peregrine.server.connection;

import java.util.concurrent.TimeUnit;

/**
 * A rate below which a client may not fall. Each client has a moment at which its credit is used
 * up. Every byte moves it by the time that the byte may take at this rate, up to a bound, so that a
 * burst doesn't pay for hours of silence.
 */
public final class DataRate {
  /** How far a client may be ahead with what it sends. */
  public static final int SENDING_CREDIT_BYTES_MAX = 64 * 1024;

  /**
   * How far a client may be ahead with what it takes. Its system hides what it does: it announces
   * room again only when a part of its buffer is free. Linux does so for a sixteenth of a buffer of
   * up to 6 MiB; this is the next power of two above that.
   */
  public static final int TAKING_CREDIT_BYTES_MAX = 512 * 1024;

  private final long bytesPerSecondMin;
  private final long graceNanos;
  private final long creditNanosMax;

  /**
   * Creates a rate.
   *
   * @param bytesPerSecondMin 0 for no limit
   * @param graceNanos credit at the beginning
   * @param creditBytesMax bytes that a client may be ahead
   */
  public DataRate(long bytesPerSecondMin, long graceNanos, int creditBytesMax) {
    this.bytesPerSecondMin = bytesPerSecondMin;
    this.graceNanos = graceNanos;
    this.creditNanosMax = Math.max(graceNanos, unboundedNanos(creditBytesMax));
  }

  /** The moment for a client that begins, or begins again: it has at least the grace from now. */
  public long begin(long untilNanos, long nowNanos) {
    return Math.max(untilNanos - nowNanos, graceNanos) + nowNanos;
  }

  /** The moment for a client that is as far ahead as it may be. */
  long latest(long nowNanos) {
    return nowNanos + creditNanosMax;
  }

  /** Moves a client's moment by the bytes that have come or gone. */
  public long extend(long untilNanos, long bytes, long nowNanos) {
    return Math.min(untilNanos - nowNanos + nanos(bytes), creditNanosMax) + nowNanos;
  }

  /** Returns true if clients must keep a rate. */
  boolean isLimited() {
    return bytesPerSecondMin > 0;
  }

  /** Returns true if the credit is used up. */
  public boolean isBelow(long untilNanos, long nowNanos) {
    return bytesPerSecondMin > 0 && nowNanos - untilNanos > 0;
  }

  private long nanos(long bytes) {
    return bytesPerSecondMin == 0 ? 0 : Math.min(unboundedNanos(bytes), creditNanosMax);
  }

  private long unboundedNanos(long bytes) {
    return bytesPerSecondMin == 0
        ? 0
        : (long) ((double) bytes / bytesPerSecondMin * TimeUnit.SECONDS.toNanos(1));
  }
}
