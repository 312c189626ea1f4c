package dev.peregrine.bench.technique;

import dev.peregrine.server.exchange.ReceivedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Passes received bytes on, as a copy or a view, and reads the first and the last. */
public class ViewBenchmark extends Technique {
  private static final int BLOCK_BYTES = 64 * 1024;

  @Param({"100", "1000", "10000"})
  int bytes;

  private final BufferPool pool = new BufferPool();
  private Block block;
  private MemorySegment segment;
  private ByteBuffer buffer;
  private int at;

  /** Fills the block and checks that all forms see the same bytes. */
  @Setup
  public void setUp() {
    block = pool.acquire(BLOCK_BYTES);
    segment = block.segment();
    for (int i = 0; i < BLOCK_BYTES; i++) {
      segment.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 101));
    }
    buffer = segment.asByteBuffer();
    int start = at;
    int seen = copy();
    at = start;
    checkEqual(seen, receivedBytes());
    at = start;
    checkEqual(seen, segmentSlice());
    at = start;
    checkEqual(seen, bufferSlice());
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    pool.release(block);
    pool.close();
  }

  /** An array. */
  @Benchmark
  public int copy() {
    byte[] copy = new byte[bytes];
    MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, next(), copy, 0, bytes);
    return ends(copy);
  }

  /** The server's view, opened and closed. */
  @Benchmark
  public int receivedBytes() {
    int from = next();
    ReceivedBytes view = new ReceivedBytes(block, from, from + bytes);
    int ends = view.get(0) + view.get(view.length() - 1);
    view.close();
    return ends;
  }

  /** A new slice of a segment. */
  @Benchmark
  public int segmentSlice() {
    MemorySegment slice = segment.asSlice(next(), bytes);
    return slice.get(ValueLayout.JAVA_BYTE, 0) + slice.get(ValueLayout.JAVA_BYTE, bytes - 1);
  }

  /** A new slice of a buffer. */
  @Benchmark
  public int bufferSlice() {
    ByteBuffer slice = buffer.slice(next(), bytes);
    return slice.get(0) + slice.get(bytes - 1);
  }

  private int ends(byte[] copy) {
    return copy[0] + copy[bytes - 1];
  }

  private int next() {
    int from = at;
    at = (from + 1000) % (BLOCK_BYTES / 2);
    return from;
  }
}
