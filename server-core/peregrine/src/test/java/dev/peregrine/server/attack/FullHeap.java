package dev.peregrine.server.attack;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Fills the heap of this JVM, except a small part in which garbage is collected often. Exact with a
 * collector that moves all objects and a small young generation.
 */
final class FullHeap implements AutoCloseable {
  private static final int FREE_PART = 20; // less than the server takes for free
  private static final int PIECE_BYTES = 16 * 1024;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private volatile boolean over;
  private byte[][] kept = {};
  private volatile byte[] garbage = {};

  /** Begins on a thread of its own. */
  FullHeap() {
    Thread.ofPlatform().daemon().start(this::fill);
  }

  private void fill() {
    Runtime runtime = Runtime.getRuntime();
    System.gc();
    long max = runtime.maxMemory();
    long bytes = max - max / FREE_PART - (runtime.totalMemory() - runtime.freeMemory());
    kept = new byte[(int) (bytes / PIECE_BYTES)][];
    for (int i = 0; i < kept.length; i++) {
      kept[i] = new byte[PIECE_BYTES];
    }
    while (!over) {
      garbage = new byte[PIECE_BYTES];
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    kept = new byte[0][];
  }

  /** Frees the heap, soon. */
  @Override
  public void close() {
    over = true;
  }

  /** Returns the last piece of garbage, so that it is created. */
  byte[] garbage() {
    return garbage;
  }
}
