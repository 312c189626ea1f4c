package dev.peregrine.server.pace;

import dev.peregrine.server.config.ServerLimits;
import java.util.concurrent.TimeUnit;

/**
 * The least data rate of a client. Each client has a time at which its credit is used up. Every
 * byte moves that time by the time that the byte may take at this rate, up to a bound, so that a
 * burst doesn't permit hours of silence.
 */
public final class DataRate {
  /** Bytes that a client's credit for sending may hold. */
  private static final int SENDING_CREDIT_BYTES_MAX = 64 * 1024;

  /**
   * Bytes that a client's credit for receiving may hold. A client's system announces free room in
   * its buffer in steps, not byte by byte. Linux does so for a sixteenth of a buffer of up to 6
   * MiB; this is the next power of two above that.
   */
  public static final int TAKING_CREDIT_BYTES_MAX = 512 * 1024;

  private final long bytesPerSecondMin;
  private final double nanosPerByte; // 0 for no limit
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
    this.nanosPerByte =
        bytesPerSecondMin == 0 ? 0 : (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecondMin;
    this.graceNanos = graceNanos;
    this.creditNanosMax = Math.max(graceNanos, (long) (creditBytesMax * nanosPerByte));
  }

  /** Returns the least rate at which clients must send. */
  public static DataRate ofSending(ServerLimits limits) {
    return new DataRate(
        limits.requestBytesPerSecondMin(),
        limits.requestRateGrace().toNanos(),
        SENDING_CREDIT_BYTES_MAX);
  }

  /** Returns the least rate at which clients must take responses. */
  public static DataRate ofTaking(ServerLimits limits) {
    return new DataRate(
        limits.responseBytesPerSecondMin(),
        limits.responseRateGrace().toNanos(),
        TAKING_CREDIT_BYTES_MAX);
  }

  /** Returns the time for a client that begins, or begins again: at least the grace from now. */
  public long begin(long untilNanos, long nowNanos) {
    return Math.max(untilNanos - nowNanos, graceNanos) + nowNanos;
  }

  /** Returns the time for a client with the largest credit. */
  long latest(long nowNanos) {
    return nowNanos + creditNanosMax;
  }

  /** Moves a client's time by the bytes that were transferred. */
  public long extend(long untilNanos, long bytes, long nowNanos) {
    return Math.min(untilNanos - nowNanos + nanos(bytes), creditNanosMax) + nowNanos;
  }

  /** Returns true if clients must keep a rate. */
  public boolean isLimited() {
    return bytesPerSecondMin > 0;
  }

  /** Returns true if the credit is used up. */
  public boolean isBelow(long untilNanos, long nowNanos) {
    return bytesPerSecondMin > 0 && nowNanos - untilNanos > 0;
  }

  private long nanos(long bytes) {
    return Math.min((long) (bytes * nanosPerByte), creditNanosMax);
  }
}
