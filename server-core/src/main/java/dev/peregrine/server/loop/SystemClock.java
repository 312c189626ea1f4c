package dev.peregrine.server.loop;

import java.util.function.LongSupplier;

/** {@link System#nanoTime}; not as a lambda, which takes a start most of a millisecond. */
final class SystemClock implements LongSupplier {
  @Override
  public long getAsLong() {
    return System.nanoTime();
  }
}
