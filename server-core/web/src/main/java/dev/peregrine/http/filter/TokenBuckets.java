package dev.peregrine.http.filter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Buckets of tokens by key, in fixed memory. A bucket is one number: the time at which it is full
 * again (the theoretical arrival time of the generic cell rate algorithm, ITU-T I.371). A bucket
 * that is full needs no memory.
 *
 * <p>Each key has {@link #WAYS} places. If all of them have buckets that aren't full, a new key
 * takes over the one that is full soonest, as it is: with the tokens that are missing there (the
 * Space-Saving algorithm of Metwally and others, 2005). A key without a place was full before any
 * bucket of its places is, because it had the fullest when it lost it, and buckets fill evenly. So
 * what it takes over has no more tokens than its own would have, and no key ever gets more than its
 * limit, however many there are. Keys of full places get less, because they share.
 *
 * <p>Thread-safe without locks: a place is taken by one compare-and-set, and a token by another. A
 * key that loses its place between the two can get one token too many.
 */
final class TokenBuckets {
  static final int WAYS = 16;

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
   * @param keysMax the number of keys for which there are at least two places each, so that one in
   *     a thousand of that many shares
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
    int first = ((int) (key >>> Integer.SIZE) & mask) * WAYS;
    while (true) {
      int place = place(own, first);
      long holder = keys.get(place);
      long seen = fullAt.get(place);
      long full = Math.max(seen, time) + tokenNanos;
      long wait = full - time - burstNanos;
      if (wait > 0) {
        return -wait;
      }
      if ((holder == own || keys.compareAndSet(place, holder, own))
          && fullAt.compareAndSet(place, seen, full)) {
        return full - time;
      }
    }
  }

  /** Returns the number of tokens in a bucket that is full after that time. */
  long left(long nanos) {
    return (burstNanos - nanos) / tokenNanos;
  }

  /**
   * Returns the time in nanoseconds until a bucket that is full after that time has one token more.
   */
  long untilNext(long nanos) {
    return 1 + (nanos - 1) % tokenNanos;
  }

  /** Returns the place of a key, or if it has none, the one of its places that is full soonest. */
  private int place(long key, int first) {
    int soonest = first;
    long least = Long.MAX_VALUE;
    for (int i = first; i < first + WAYS; i++) {
      if (keys.get(i) == key) {
        return i;
      }
      long full = fullAt.get(i);
      if (full < least) {
        least = full;
        soonest = i;
      }
    }
    return soonest;
  }
}
