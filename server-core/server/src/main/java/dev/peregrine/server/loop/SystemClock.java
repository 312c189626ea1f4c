package dev.peregrine.server.loop;

import java.util.function.LongSupplier;

/** {@link System#nanoTime}; not a lambda, to start sooner. */
final class SystemClock implements LongSupplier {
  @Override
  public long getAsLong() {
    return System.nanoTime();
  }
}
