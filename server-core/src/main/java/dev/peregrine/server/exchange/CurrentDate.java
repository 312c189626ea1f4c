package dev.peregrine.server.exchange;

import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.loop.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The value of the Date field (RFC 9110 section 6.6.1), updated each second. One per event loop.
 */
public final class CurrentDate {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final EventLoop loop;
  private byte[] value;
  private long second;
  private long freshUntilNanos;

  public CurrentDate(EventLoop loop) {
    this.loop = loop;
    this.value = encode(0);
    this.freshUntilNanos = loop.nanos();
  }

  /** Updates the date. Returns true if it has changed. */
  public boolean refresh() {
    long nowNanos = loop.nanos();
    if (nowNanos - freshUntilNanos < 0) {
      return false;
    }
    long millis = System.currentTimeMillis();
    second = Math.floorDiv(millis, 1000L);
    value = encode(second);
    long restMillis = 1000 - Math.floorMod(millis, 1000L);
    freshUntilNanos = nowNanos + Math.min(SECOND_NANOS, TimeUnit.MILLISECONDS.toNanos(restMillis));
    return true;
  }

  /** Returns the text, always of the same length; not to be changed. */
  public byte[] value() {
    return value;
  }

  /** Returns the seconds since the epoch that {@link #value} tells. */
  public long second() {
    return second;
  }

  private static byte[] encode(long epochSeconds) {
    return HttpDate.format(epochSeconds).getBytes(StandardCharsets.US_ASCII);
  }
}
