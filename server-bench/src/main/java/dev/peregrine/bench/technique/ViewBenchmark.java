package dev.peregrine.bench.technique;

import dev.peregrine.http.Bytes;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Passes received bytes to a listener, as a copy or a view; it reads the first and the last. As in
 * the server, the compiler doesn't know the listener, so that it can't leave the view out.
 */
public class ViewBenchmark extends Technique {
  private static final int BLOCK_BYTES = 64 * 1024;

  @Param({"100", "10000"})
  int bytes;

  private final BufferPool pool = new BufferPool();
  private final ReceivedBytes view = new ReceivedBytes();
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
    for (int i = 0; i < BLOCK_BYTES / bytes; i++) {
      int start = at;
      int expected = copy();
      at = start;
      checkEqual(expected, newView());
      at = start;
      checkEqual(expected, reusedView());
      at = start;
      checkEqual(expected, segmentSlice());
      at = start;
      checkEqual(expected, bufferSlice());
    }
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
    return listen(copy);
  }

  /** The server's way: a new view for each call of the listener, closed after it. */
  @Benchmark
  public int newView() {
    int from = next();
    ReceivedBytes received = new ReceivedBytes(block, from, from + bytes);
    int ends = listen(received);
    received.close();
    return ends;
  }

  /** One view for all calls: a listener that keeps it would read later bytes. */
  @Benchmark
  public int reusedView() {
    int from = next();
    view.open(block, from, from + bytes);
    int ends = listen(view);
    view.close();
    return ends;
  }

  /** A new slice of a segment. */
  @Benchmark
  public int segmentSlice() {
    return listen(segment.asSlice(next(), bytes));
  }

  /** A new slice of a buffer. */
  @Benchmark
  public int bufferSlice() {
    return listen(buffer.slice(next(), bytes));
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static int listen(byte[] part) {
    return part[0] + part[part.length - 1];
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static int listen(Bytes part) {
    return part.get(0) + part.get(part.length() - 1);
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static int listen(MemorySegment part) {
    return part.get(ValueLayout.JAVA_BYTE, 0)
        + part.get(ValueLayout.JAVA_BYTE, part.byteSize() - 1);
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static int listen(ByteBuffer part) {
    return part.get(0) + part.get(part.limit() - 1);
  }

  private int next() {
    int from = at;
    at = (from + 1000) % (BLOCK_BYTES / 2);
    return from;
  }
}
