package dev.peregrine.http.filter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Buckets of tokens by key, in fixed memory. A bucket is one number: the time at which it is full
 * again (the theoretical arrival time of the generic cell rate algorithm, ITU-T I.371). A bucket
 * that is full needs no memory.
 *
 * <p>Each key has {@link #WAYS} places. If all of them have buckets that are not full, the one that
 * is full soonest makes room, which has the least to forget. Thread-safe without locks: a place is
 * taken by one compare-and-set, and a token by another.
 */
final class TokenBuckets {
  static final int WAYS = 8;

  private static final long EMPTY = 0;

  private final long tokenNanos;
  private final long burstNanos;
  private final long origin;
  private final int mask;
  private final AtomicLongArray keys;
  private final AtomicLongArray fullAt; // nanoseconds since the origin

  /**
   * Creates buckets that are full.
   *
   * @param tokenNanos the time in which a bucket gets a token
   * @param burst the tokens of a full bucket
   * @param keysMax the number of keys for which there are at least two places each, so that few of
   *     that many lose theirs
   * @param now the time in nanoseconds, with any origin
   */
  TokenBuckets(long tokenNanos, int burst, int keysMax, long now) {
    this.tokenNanos = tokenNanos;
    this.burstNanos = tokenNanos * burst;
    this.origin = now - 1; // no time is 0
    int sets = Integer.highestOneBit(Math.max(1, (keysMax - 1) / WAYS)) * 4;
    this.mask = sets - 1;
    this.keys = new AtomicLongArray(sets * WAYS);
    this.fullAt = new AtomicLongArray(sets * WAYS);
  }

  /**
   * Takes a token from the bucket of a key.
   *
   * @param key evenly distributed; 0 counts as 1
   * @return the time in nanoseconds until the bucket is full, more than zero; or if it has no
   *     token, the time until it has one, negated
   */
  long take(long key, long now) {
    long time = now - origin;
    long own = key == EMPTY ? 1 : key;
    while (true) {
      int place = place(own, time);
      long seen = fullAt.get(place);
      long full = Math.max(seen, time) + tokenNanos;
      long wait = full - time - burstNanos;
      if (wait > 0) {
        return -wait;
      }
      if (fullAt.compareAndSet(place, seen, full)) {
        return full - time;
      }
    }
  }

  /** Returns the number of tokens in a bucket that is full after that time. */
  long left(long nanos) {
    return (burstNanos - nanos) / tokenNanos;
  }

  /** Returns the place of a key, after making room for it if it has none. */
  private int place(long key, long time) {
    int first = ((int) (key >>> Integer.SIZE) & mask) * WAYS;
    while (true) {
      int soonest = first;
      long least = Long.MAX_VALUE;
      long holder = EMPTY;
      for (int i = first; i < first + WAYS; i++) {
        long other = keys.get(i);
        if (other == key) {
          return i;
        }
        long full = other == EMPTY ? EMPTY : fullAt.get(i);
        if (full < least) {
          least = full;
          soonest = i;
          holder = other;
        }
      }
      if (keys.compareAndSet(soonest, holder, key)) {
        fullAt.set(soonest, time);
        return soonest;
      }
    }
  }
}
