package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Received content on its way to a handler that blocks for it, per 64 KiB, without the threads: the
 * block that it was received in is lent to the reader, or its bytes wait in another one.
 */
public class LentBlocksBenchmark extends Technique {
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int READ_BYTES = 8 * 1024;

  private final BufferPool pool = new BufferPool();
  private final byte[] array = new byte[READ_BYTES];
  private Block received;
  private Block waiting;

  /** Checks that all forms read the same. */
  @Setup
  public void setUp() {
    received = pool.acquire(BLOCK_BYTES);
    waiting = pool.acquire(BLOCK_BYTES);
    for (int i = 0; i < BLOCK_BYTES; i++) {
      received.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i % 101));
    }
    checkEqual(lent(), copied());
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    pool.release(received);
    pool.release(waiting);
    pool.close();
  }

  /** The server's way: a copy, which the reader copies to its array. */
  @Benchmark
  public int copied() {
    MemorySegment.copy(received.segment(), 0, waiting.segment(), 0, BLOCK_BYTES);
    return read(waiting.segment());
  }

  /** The reader copies to its array at once. */
  @Benchmark
  public int lent() {
    return read(received.segment());
  }

  private int read(MemorySegment source) {
    int hash = 0;
    for (int at = 0; at < BLOCK_BYTES; at += READ_BYTES) {
      MemorySegment.copy(source, ValueLayout.JAVA_BYTE, at, array, 0, READ_BYTES);
      hash = 31 * hash + array[at % 101];
    }
    return hash;
  }
}
