package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
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

  @Test
  void readsTheClockAgainAfterASecond() {
    WallClock clock = new WallClock();
    long nanos = System.nanoTime();
    long leastMillis = System.currentTimeMillis();

    long millis = clock.millis(nanos, nanos + TimeUnit.SECONDS.toNanos(2));

    assertThat(millis).isBetween(leastMillis - 1, System.currentTimeMillis());
  }
}
