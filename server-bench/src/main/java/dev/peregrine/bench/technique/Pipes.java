package dev.peregrine.bench.technique;

import java.io.IOException;

/** Many open descriptors of which some become readable; finds these, and reads them. */
interface Pipes extends AutoCloseable {
  /** Makes one readable. */
  void write(int pipe) throws IOException;

  /**
   * Reads all that are readable.
   *
   * @return how many these were
   */
  int readReady() throws IOException;

  @Override
  void close() throws IOException;
}
