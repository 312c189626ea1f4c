package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TokenBucketsTest {
  private static final long TOKEN = 1000;

  private static TokenBuckets buckets(int burst, int keys, long now) {
    return new TokenBuckets(TOKEN, burst, keys, now);
  }

  /** The clock of the JVM may begin anywhere, and be negative. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MAX_VALUE - 5_000, Long.MIN_VALUE})
  void givesWhatABucketHoldsAndThenATokenAtATime(long start) {
    TokenBuckets buckets = buckets(3, 10, start);

    for (int i = 1; i <= 3; i++) {
      long taken = buckets.take(7, start);
      assertThat(taken).isEqualTo(i * TOKEN);
      assertThat(buckets.left(taken)).isEqualTo(3 - i);
    }
    assertThat(buckets.take(7, start)).isEqualTo(-TOKEN);
    assertThat(buckets.take(7, start + 400)).isEqualTo(-600);
    assertThat(buckets.take(7, start + 999)).isEqualTo(-1);
    assertThat(buckets.take(7, start + 1000)).isEqualTo(3 * TOKEN);
    assertThat(buckets.take(7, start + 1000)).isEqualTo(-TOKEN);
  }

  @Test
  void neverHoldsMoreThanItsBurst() {
    TokenBuckets buckets = buckets(2, 10, 0);
    assertThat(buckets.take(7, 0)).isPositive();

    long late = 1_000_000 * TOKEN;
    assertThat(buckets.take(7, late)).isEqualTo(TOKEN);
    assertThat(buckets.take(7, late)).isEqualTo(2 * TOKEN);
    assertThat(buckets.take(7, late)).isNegative();
  }

  @Test
  void takesNothingForARejectedRequest() {
    TokenBuckets buckets = buckets(1, 10, 0);
    assertThat(buckets.take(7, 0)).isPositive();
    for (int i = 0; i < 1000; i++) {
      assertThat(buckets.take(7, 10)).isEqualTo(10 - TOKEN);
    }
    assertThat(buckets.take(7, TOKEN)).isPositive();
  }

  @Test
  void keepsTheKeysApart() {
    TokenBuckets buckets = buckets(1, 1000, 0);
    SplittableRandom random = new SplittableRandom(1);
    long[] keys = random.longs(500).toArray();
    for (long key : keys) {
      assertThat(buckets.take(key, 0)).isPositive();
    }
    for (long key : keys) {
      assertThat(buckets.take(key, 0)).isNegative();
    }
    assertThat(buckets.take(0, 0)).isPositive();
    assertThat(buckets.take(0, 0)).isNegative();
  }

  /** A flood of new keys doesn't give back what an old one has used up. */
  @Test
  void remembersAnEmptyBucketInAFloodOfNewKeys() {
    TokenBuckets buckets = buckets(100, 64, 0);
    long empty = 0x1234_5678_9ABC_DEF0L;
    for (int i = 0; i < 100; i++) {
      assertThat(buckets.take(empty, 0)).isPositive();
    }
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      buckets.take(random.nextLong(), 0);
      assertThat(buckets.take(empty, 0)).isNegative();
    }
  }

  /** New keys are served as long as those before them leave them tokens. */
  @Test
  void servesAFloodThatUsesFewerTokensThanThereAre() {
    TokenBuckets buckets = buckets(2, 64, 0);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 100_000; i++) {
      assertThat(buckets.take(random.nextLong(), i * TOKEN / 16)).isPositive();
    }
  }

  /** As many keys as there is memory for, and fewer, have buckets of their own. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 500, 999, 1000})
  void givesEachKeyItsOwnBucketIfThereAreNoMoreThanItsMemoryIsFor(int count) {
    TokenBuckets buckets = buckets(3, Math.max(count, 1000), 0);
    long[] keys = new SplittableRandom(4).longs(count).toArray();
    for (int i = 0; i < 3; i++) {
      for (long key : keys) {
        assertThat(buckets.take(key, 0)).isEqualTo((i + 1) * TOKEN);
      }
    }
    for (long key : keys) {
      assertThat(buckets.take(key, 0)).isNegative();
    }
  }

  /**
   * Random keys at random times get at most what buckets without a bound of memory give them, and
   * exactly that while there is room for all.
   */
  @ParameterizedTest
  @CsvSource({"16, true", "17, false", "100, false", "3000, false"})
  void neverGivesMoreThanUnboundedMemoryWould(int count, boolean exact) {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      int burst = random.nextInt(1, 6);
      TokenBuckets buckets = buckets(burst, 1, 0); // all keys have the same few places
      long[] keys = random.longs(count).map(key -> key & 0xFFFF_FFFFL).toArray();
      long[] fullAt = new long[count];
      long now = 0;
      for (int i = 0; i < 20_000; i++) {
        now += random.nextLong(random.nextBoolean() ? 10 : TOKEN / 4);
        int one = random.nextInt(random.nextInt(count) + 1); // some keys more often
        long full = Math.max(fullAt[one], now) + TOKEN;
        boolean allowed = full - now <= burst * TOKEN;
        boolean taken = buckets.take(keys[one], now) > 0;
        if (taken) {
          assertThat(allowed).as("key %d at %d, seed %d", one, now, seed).isTrue();
          fullAt[one] = full;
        } else if (exact) {
          assertThat(allowed).isFalse();
        }
      }
    }
  }

  @Test
  void givesNoTokenTwiceToThreadsOfOneKey() {
    TokenBuckets buckets = buckets(10_000, 10, 0);
    AtomicInteger given = new AtomicInteger();
    assertThat(buckets.take(7, 0)).isPositive(); // so that its place is taken
    CompletableFuture<?>[] threads =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int j = 0; j < 5_000; j++) {
                            if (buckets.take(7, 0) > 0) {
                              given.incrementAndGet();
                            }
                          }
                        },
                        work -> Thread.ofPlatform().start(work)))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(threads).join();

    assertThat(given).hasValue(9_999);
  }
}
