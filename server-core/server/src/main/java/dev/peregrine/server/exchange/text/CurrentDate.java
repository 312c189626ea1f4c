package dev.peregrine.server.exchange.text;

import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.loop.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The value of the Date field (RFC 9110 section 6.6.1), updated each second. One per event loop.
 *
 * <p>The clock is read more often, so that the code for an update has run before C2 compiles the
 * first responses. Otherwise the first update would cost that code a second compilation.
 */
public final class CurrentDate {
  private static final long FRESH_MILLIS_MAX = 20;

  private final EventLoop loop;
  private byte[] value;
  private long second;
  private long freshUntilNanos;

  public CurrentDate(EventLoop loop) {
    this.loop = loop;
    this.value = encode(0);
    this.freshUntilNanos = loop.nanos();
  }

  /** Updates the date. Returns true if it may have changed. */
  public boolean refresh() {
    long nowNanos = loop.nanos();
    if (nowNanos - freshUntilNanos < 0) {
      return false;
    }
    update(nowNanos);
    return true;
  }

  private void update(long nowNanos) {
    long millis = System.currentTimeMillis();
    long now = Math.floorDiv(millis, 1000L);
    if (now != second) {
      second = now;
      value = encode(now);
    }
    long restMillis = 1000 - Math.floorMod(millis, 1000L);
    long freshMillis = Math.min(restMillis, FRESH_MILLIS_MAX);
    freshUntilNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(freshMillis);
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
