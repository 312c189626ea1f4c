package dev.peregrine.bench.technique;

import java.io.IOException;

/** Many open descriptors, of which it finds and reads the readable ones. */
interface Pipes extends AutoCloseable {
  /** Makes one descriptor readable. */
  void write(int pipe) throws IOException;

  /**
   * Reads all that are readable.
   *
   * @return the number of readable ones
   */
  int readReady() throws IOException;

  @Override
  void close() throws IOException;
}
