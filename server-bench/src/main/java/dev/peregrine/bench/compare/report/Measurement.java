package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.load.LoadResult;
import java.util.concurrent.TimeUnit;

/**
 * A measurement of one server under one workload.
 *
 * @param cpuNanos processor time of the server's process meanwhile, user and system
 */
public record Measurement(LoadResult load, long cpuNanos) {
  /** Returns the throughput. */
  public double requestsPerSecond() {
    return load.requests() / load.seconds();
  }

  /** Returns the processor time of the server per request. */
  public double cpuNanosPerRequest() {
    return (double) cpuNanos / load.requests();
  }

  /** Returns the load of the server: 100 is a whole processor. */
  public double cpuPercent() {
    return 100 * cpuNanos / (load.seconds() * TimeUnit.SECONDS.toNanos(1));
  }
}
