package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Takes memory for a request, writes its first and last byte, and releases it; on two threads. */
@Threads(2)
public class MemoryPoolBenchmark extends Technique {
  @Param({"1024", "65536"})
  int bytes;

  private final BufferPool pool = new BufferPool();

  /** The pool that the threads share: a Netty pool with slabs as large as ours. */
  @State(Scope.Benchmark)
  public static class Shared {
    final PooledByteBufAllocator pool =
        new PooledByteBufAllocator(true, 0, 1, 8192, 7, 0, 0, false);
  }

  /** Checks that every form returns enough memory. */
  @Setup
  public void setUp(Shared shared) {
    check(heap().length == bytes, "heap");
    check(direct().capacity() == bytes, "direct");
    check(onePool(shared) >= bytes, "one pool");
    check(poolPerLoop() >= bytes, "pool per loop");
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    pool.close();
  }

  /** A new array each time. */
  @Benchmark
  public byte[] heap() {
    byte[] memory = new byte[bytes];
    memory[0] = 1;
    memory[bytes - 1] = 1;
    return memory;
  }

  /** A new direct buffer each time, freed by the garbage collector. */
  @Benchmark
  public ByteBuffer direct() {
    return ByteBuffer.allocateDirect(bytes).put(0, (byte) 1).put(bytes - 1, (byte) 1);
  }

  /** One pool for all threads. */
  @Benchmark
  public int onePool(Shared shared) {
    ByteBuf memory = shared.pool.directBuffer(bytes, bytes);
    memory.setByte(0, 1);
    memory.setByte(bytes - 1, 1);
    int capacity = memory.capacity();
    memory.release();
    return capacity;
  }

  /** The server's way: a pool for each thread. */
  @Benchmark
  public int poolPerLoop() {
    Block memory = pool.acquire(bytes);
    memory.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    memory.segment().set(ValueLayout.JAVA_BYTE, bytes - 1, (byte) 1);
    int capacity = memory.capacity();
    pool.release(memory);
    return capacity;
  }
}
