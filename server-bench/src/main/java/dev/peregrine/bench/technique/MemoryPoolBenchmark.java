package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Takes memory, writes its first and last byte, and releases it; per piece, on two threads. Netty
 * has its caches on them, which keep pieces of up to 32 KiB, and doesn't check.
 */
@Fork(
    jvmArgsPrepend = {
      "-Xms256m",
      "-Xmx256m",
      "-XX:+AlwaysPreTouch", // no page faults
      "-Djmh.executor=CUSTOM",
      "-Djmh.executor.class=dev.peregrine.bench.technique.NettyThreads",
      "-Dio.netty.buffer.checkBounds=false",
      "-Dio.netty.buffer.checkAccessible=false",
      "-Dio.netty.leakDetection.level=disabled"
    })
@Threads(2)
public class MemoryPoolBenchmark extends Technique {
  private static final int PIECES = 64;
  private static final int SLAB_BYTES = 1024 * 1024;
  private static final int SMALLEST_SHIFT = 8;
  private static final int LARGEST_SHIFT = 15; // what Netty's caches keep

  /** The sizes of the pieces, and how many are held at a time. */
  public enum Use {
    ONE_OF_1_KIB,
    ONE_OF_32_KIB,
    /** From 256 bytes to 32 KiB, released in another order. */
    BURST_OF_MIXED_SIZES
  }

  @Param Use memory;

  private final BufferPool pool = new BufferPool();
  private final BufferPool emptied = new BufferPool(); // has a slab, but no free blocks
  private final Block slabKeeper = emptied.acquire(1);
  private final int[] sizes = new int[PIECES];
  private final int[] releases = new int[PIECES]; // the order in which a burst is released
  private final Object[] held = new Object[PIECES];

  /** Netty's allocators, which all threads use. */
  @State(Scope.Benchmark)
  public static class Shared {
    final ByteBufAllocator arena =
        new PooledByteBufAllocator(true, 0, 1, 8192, 7, 0, 0, false); // slabs as large as ours
    final ByteBufAllocator caches = new PooledByteBufAllocator(true);
    final ByteBufAllocator adaptive = new AdaptiveByteBufAllocator(true, true);
  }

  /** Checks that every form writes to as many pieces. */
  @Setup
  public void setUp(Shared shared) {
    Random random = new Random(1);
    for (int i = 0; i < PIECES; i++) {
      int mixed = 1 << random.nextInt(SMALLEST_SHIFT, LARGEST_SHIFT);
      sizes[i] =
          switch (memory) {
            case ONE_OF_1_KIB -> 1024;
            case ONE_OF_32_KIB -> 32 * 1024;
            case BURST_OF_MIXED_SIZES -> mixed + random.nextInt(mixed + 1);
          };
      int place = random.nextInt(i + 1);
      releases[i] = releases[place];
      releases[place] = i;
    }
    long expected = 0;
    for (int size : sizes) {
      expected += size + 2;
    }
    for (int round = 0; round < 2; round++) {
      checkEqual(
          expected,
          heap(),
          direct(),
          nettyArena(shared),
          nettyThreadCaches(shared),
          nettyAdaptive(shared),
          poolPerLoop(),
          poolWithoutFreeBlocks());
    }
    check(pool.blocksInUse() == 0, "blocks in use");
    check(emptied.blocksInUse() == 1, "blocks in use");
    check(emptied.bytesReserved() == SLAB_BYTES, "all pieces are in one slab");
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    pool.close();
    emptied.release(slabKeeper);
    emptied.close();
  }

  /** A new array each time. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long heap() {
    long sum = 0;
    for (int i = 0; i < PIECES; i++) {
      byte[] piece = new byte[sizes[i]];
      held[place(i)] = piece;
      piece[0] = 1;
      piece[piece.length - 1] = 1;
      sum += piece.length + piece[0] + piece[piece.length - 1];
    }
    return sum;
  }

  /** A new direct buffer each time, freed by the garbage collector. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long direct() {
    long sum = 0;
    for (int i = 0; i < PIECES; i++) {
      int last = sizes[i] - 1;
      ByteBuffer piece = ByteBuffer.allocateDirect(sizes[i]);
      held[place(i)] = piece;
      piece.put(0, (byte) 1).put(last, (byte) 1);
      sum += piece.capacity() + piece.get(0) + piece.get(last);
    }
    return sum;
  }

  /** One pool for all threads: Netty's without caches. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long nettyArena(Shared shared) {
    return netty(shared.arena);
  }

  /** Netty's pool with a cache for each thread. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long nettyThreadCaches(Shared shared) {
    return netty(shared.caches);
  }

  /** Netty's default. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long nettyAdaptive(Shared shared) {
    return netty(shared.adaptive);
  }

  private long netty(ByteBufAllocator allocator) {
    long sum = 0;
    for (int i = 0; i < PIECES; i++) {
      int last = sizes[i] - 1;
      ByteBuf piece = allocator.directBuffer(sizes[i], sizes[i]);
      piece.setByte(0, 1).setByte(last, 1);
      sum += piece.capacity() + piece.getByte(0) + piece.getByte(last);
      if (memory == Use.BURST_OF_MIXED_SIZES) {
        held[i] = piece;
      } else {
        piece.release();
      }
    }
    if (memory == Use.BURST_OF_MIXED_SIZES) {
      for (int i : releases) {
        ((ByteBuf) held[i]).release();
      }
    }
    return sum;
  }

  /** The server's way: a pool for each thread. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long poolPerLoop() {
    return own(pool, false);
  }

  /**
   * Each piece is taken out of a slab and goes back to it, because no free block is left. It has
   * the search for free blocks of all sizes in addition.
   */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long poolWithoutFreeBlocks() {
    return own(emptied, true);
  }

  private long own(BufferPool from, boolean empty) {
    long sum = 0;
    for (int i = 0; i < PIECES; i++) {
      int last = sizes[i] - 1;
      Block piece = from.acquire(sizes[i]);
      piece.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
      piece.segment().set(ValueLayout.JAVA_BYTE, last, (byte) 1);
      sum +=
          sizes[i]
              + piece.segment().get(ValueLayout.JAVA_BYTE, 0)
              + piece.segment().get(ValueLayout.JAVA_BYTE, last);
      if (memory == Use.BURST_OF_MIXED_SIZES) {
        held[i] = piece;
      } else {
        release(from, piece, empty);
      }
    }
    if (memory == Use.BURST_OF_MIXED_SIZES) {
      for (int i : releases) {
        release(from, (Block) held[i], empty);
      }
    }
    return sum;
  }

  private static void release(BufferPool from, Block piece, boolean empty) {
    from.release(piece);
    if (empty) {
      from.trim();
    }
  }

  /** Returns where a piece is held until it isn't used any more. */
  private int place(int piece) {
    return memory == Use.BURST_OF_MIXED_SIZES ? piece : 0;
  }
}
