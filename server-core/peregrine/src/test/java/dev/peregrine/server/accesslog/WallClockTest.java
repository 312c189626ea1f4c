package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WallClockTest {
  @Test
  void knowsTheTimeOfAnEventBeforeItsCreation() {
    long leastMillis = System.currentTimeMillis();
    long nanos = System.nanoTime();

    // A thread that is suspended between the readings of a new clock makes that clock slow.
    long latest =
        LongStream.generate(() -> new WallClock().millis(nanos, nanos))
            .limit(10)
            .max()
            .orElseThrow();

    assertThat(latest).isBetween(leastMillis - 1, System.currentTimeMillis());
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
    millis.addAndGet(jumpMillis);
    long least = System.nanoTime();
    long event = least + TimeUnit.HOURS.toNanos(1); // long after the first reading

    long written = clock.millis(event, event);

    long most = System.nanoTime(); // the second reading was at some time between these
    assertThat(written - millis.get())
        .isBetween(
            TimeUnit.NANOSECONDS.toMillis(event - most),
            TimeUnit.NANOSECONDS.toMillis(event - least));
  }
}
