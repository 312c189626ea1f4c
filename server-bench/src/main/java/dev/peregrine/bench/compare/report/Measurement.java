package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.load.LoadResult;
import java.util.concurrent.TimeUnit;

/**
 * One server under one workload, once.
 *
 * @param cpuNanos processor time of the server's process meanwhile, user and system
 */
public record Measurement(LoadResult load, long cpuNanos) {
  /** Throughput. */
  public double requestsPerSecond() {
    return load.requests() / load.seconds();
  }

  /** The cost of a request to the server. */
  public double cpuNanosPerRequest() {
    return (double) cpuNanos / load.requests();
  }

  /** How busy the server was: 100 is a whole processor. */
  public double cpuPercent() {
    return 100 * cpuNanos / (load.seconds() * TimeUnit.SECONDS.toNanos(1));
  }
}
