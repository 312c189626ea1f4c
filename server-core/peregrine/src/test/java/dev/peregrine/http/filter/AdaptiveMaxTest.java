package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit that follows the latency, of a service that a test computes. */
final class AdaptiveMaxTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long TARGET = 50 * MILLI;

  private long now = -7;

  private AdaptiveMax max(int least, int most) {
    return new AdaptiveMax(least, most, TARGET, () -> now);
  }

  /** Ends a window with one request of that latency. */
  private void window(AdaptiveMax max, long latency, int inUse) {
    now += AdaptiveMax.WINDOW_NANOS;
    int before = max.get();
    int change = max.ended(latency, inUse);
    assertThat(max.get() - before).isEqualTo(change);
  }

  @Test
  void risesOnlyIfTheLimitIsReachedAndTheLatencyIsLow() {
    AdaptiveMax max = max(10, 200);

    window(max, TARGET, 9);
    assertThat(max.get()).isEqualTo(10);
    window(max, TARGET, 10);
    assertThat(max.get()).isEqualTo(11);
    for (int i = 0; i < 200; i++) {
      window(max, MILLI, max.get());
    }
    assertThat(max.get()).isEqualTo(200);
    window(max, MILLI, 200);
    assertThat(max.get()).isEqualTo(200);
    window(max, TARGET + 1, 200);
    assertThat(max.get()).isEqualTo(180);
    window(max, TARGET + 1, 1);
    assertThat(max.get()).isEqualTo(162);
  }

  @Test
  void neverFallsBelowItsLeast() {
    AdaptiveMax max = max(3, 5);
    for (int i = 0; i < 10; i++) {
      window(max, 100 * TARGET, 5);
    }
    assertThat(max.get()).isEqualTo(3);
  }

  @Test
  void judgesAWindowOnceByTheAverageOfItsRequests() {
    AdaptiveMax max = max(10, 200);
    for (int i = 0; i < 9; i++) {
      assertThat(max.ended(0, 10)).isZero();
    }
    now += AdaptiveMax.WINDOW_NANOS;
    assertThat(max.ended(9 * TARGET, 1)).isEqualTo(1);
    assertThat(max.ended(9 * TARGET, 1)).isZero();
  }

  /**
   * A service works on eight requests at a time, for ten milliseconds each, and slows down by a
   * hundredth for each further one that it has. Three times as many requests arrive as it can
   * serve.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void servesNearlyAllThatItCanWithinTheLatencyAtAnOverload(int load) {
    long target = 20 * MILLI; // twice the latency of a request that is alone
    AdaptiveMax max = new AdaptiveMax(4, 1000, target, () -> now);
    long capacityPerSecond = 800;
    long apart = TimeUnit.SECONDS.toNanos(1) / (capacityPerSecond * load);
    PriorityQueue<long[]> ends = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
    long[] free = new long[8]; // when each of the service's workers is free
    long served = 0;
    long latencies = 0;
    long worst = 0;
    long start = now;
    long measured = start + TimeUnit.SECONDS.toNanos(10);
    long end = start + TimeUnit.SECONDS.toNanos(30);
    for (long arrival = start; arrival < end; arrival += apart) {
      while (!ends.isEmpty() && ends.peek()[0] <= arrival) {
        long[] done = ends.remove();
        now = done[0];
        max.ended(done[0] - done[1], ends.size() + 1);
        if (now > measured) {
          served++;
          latencies += done[0] - done[1];
          worst = Math.max(worst, done[0] - done[1]);
        }
      }
      if (ends.size() < max.get()) {
        int soonest = 0;
        for (int i = 1; i < free.length; i++) {
          soonest = free[i] < free[soonest] ? i : soonest;
        }
        long work = 10 * MILLI * (100 + Math.max(0, ends.size() - 8)) / 100;
        free[soonest] = Math.max(free[soonest], arrival) + work;
        ends.add(new long[] {free[soonest], arrival});
      }
    }

    double goodput = served / 20.0;
    assertThat(goodput).as("a second").isGreaterThan(0.9 * capacityPerSecond);
    assertThat(latencies / served).as("mean").isLessThan(target * 5 / 4);
    assertThat(worst).as("worst").isLessThan(2 * target);
  }
}
