package dev.peregrine.bench.compare.load;

import java.io.IOException;
import java.time.Duration;

/** Sends a workload to a server. Used by one thread. */
public interface LoadGenerator extends AutoCloseable {
  /** Returns its name and version. */
  String description();

  /**
   * Sends for about that time, and returns when it is over.
   *
   * @throws IOException if nothing could be measured
   */
  LoadResult run(Workload workload, int port, Duration time)
      throws IOException, InterruptedException;

  @Override
  void close();
}
