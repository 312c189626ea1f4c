package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WallClockTest {
  @Test
  void knowsTheTimeOfAnEventBeforeItsCreation() {
    long leastMillis = System.currentTimeMillis();
    long nanos = System.nanoTime();

    long millis = new WallClock().millis(nanos, nanos);

    assertThat(millis).isBetween(leastMillis - 1, System.currentTimeMillis());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999, 1000, 1001, 86_400_000})
  void continuesFromTheClockThatItHasRead(long laterMillis) {
    WallClock clock = new WallClock();
    long nanos = System.nanoTime();
    long first = clock.millis(nanos, nanos);

    long later = nanos + TimeUnit.MILLISECONDS.toNanos(laterMillis);

    assertThat(clock.millis(later, nanos)).isEqualTo(first + laterMillis);
  }

  @ParameterizedTest
  @ValueSource(longs = {-86_400_000, 3_600_000})
  void followsAClockThatIsSet(long jumpMillis) {
    AtomicLong millis = new AtomicLong(1_000_000_000_000L);
    WallClock clock = new WallClock(() -> Instant.ofEpochMilli(millis.get()));
    long nanos = System.nanoTime();
    long before = clock.millis(nanos, nanos);
    millis.addAndGet(jumpMillis);

    long later = nanos + TimeUnit.MILLISECONDS.toNanos(11);

    // The reading is of the present, which is up to eleven milliseconds before the time given.
    assertThat(clock.millis(later, later) - before).isBetween(jumpMillis, jumpMillis + 11);
  }
}
