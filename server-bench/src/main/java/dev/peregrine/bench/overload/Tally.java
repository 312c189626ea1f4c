package dev.peregrine.bench.overload;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The responses to the loads of one kind, of all rounds together. Thread-safe. */
final class Tally {
  private static final int OK = 200;

  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger shed = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private final long[] latencies = new long[1 << 20];

  void add(int status, long latencyNanos) {
    if (status == OK) {
      latencies[served.getAndIncrement()] = latencyNanos;
    } else {
      shed.incrementAndGet();
    }
  }

  /** Counts a connection that broke. */
  void addFailure() {
    failed.incrementAndGet();
  }

  void addNanos(long measured) {
    nanos.addAndGet(measured);
  }

  double servedPerSecond() {
    return perSecond(served);
  }

  double shedPerSecond() {
    return perSecond(shed);
  }

  int failures() {
    return failed.get();
  }

  private double perSecond(AtomicInteger count) {
    return count.get() * (double) TimeUnit.SECONDS.toNanos(1) / nanos.get();
  }

  /** Returns a percentile of the time from the request to its 200. */
  double millis(int percent) {
    long[] sorted = Arrays.copyOf(latencies, served.get());
    Arrays.sort(sorted);
    int index = Math.min(sorted.length - 1, sorted.length * percent / 100);
    return index < 0 ? Double.NaN : (double) sorted[index] / TimeUnit.MILLISECONDS.toNanos(1);
  }
}
