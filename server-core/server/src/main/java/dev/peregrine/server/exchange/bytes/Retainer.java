package dev.peregrine.server.exchange.bytes;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.arriving.KeptBytes;
import dev.peregrine.server.loop.BoundedLog;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Retains bytes that a loop has received, within a limit. A piece that fills half of its block pins
 * it, so that no more than twice its length is kept; a smaller one is copied. The bound is one of
 * memory: a pin takes the time in which 1 KiB is copied, see {@code RetainBenchmark}.
 */
public final class Retainer {
  /** The bytes that count for the objects that refer to retained bytes. */
  public static final int OBJECT_BYTES = 256;

  final EventLoop loop;
  private final long bytesMax;
  private final AtomicLong retained = new AtomicLong();
  private final BoundedLog log;

  /**
   * Creates the retainer of a loop.
   *
   * @param bytesMax how much may be retained at a time
   */
  public Retainer(EventLoop loop, long bytesMax) {
    this.loop = loop;
    this.bytesMax = bytesMax;
    this.log = new BoundedLog(loop);
  }

  /**
   * Retains a range of a block that is valid during this call; on the loop, or on the thread of a
   * handler that the loop has left.
   *
   * @throws HttpException if that would be more than the limit
   */
  RetainedBytes retain(Block block, int from, int length) {
    boolean pins = 2L * length >= block.capacity() && loop.isCurrent();
    if (!pins) {
      return keep(block.segment(), from, length);
    }
    int counted = OBJECT_BYTES + block.capacity();
    count(counted);
    try {
      return pin(block, from, length, counted);
    } catch (Throwable failure) {
      uncount(counted);
      throw failure;
    }
  }

  /**
   * Retains a copy; on any thread.
   *
   * @throws HttpException if that would be more than the limit
   */
  public RetainedBytes keep(MemorySegment memory, long from, int length) {
    int counted = OBJECT_BYTES + length;
    count(counted);
    try {
      return copy(memory, from, length, counted);
    } catch (Throwable failure) {
      uncount(counted);
      throw failure;
    }
  }

  private RetainedBytes pin(Block block, int from, int length, int counted) {
    RetainedMemory memory = RetainedMemory.of(block.segment().asSlice(from, length));
    Retention claim = new Retention(this, block, memory.arena(), counted);
    KeptBytes kept = new KeptBytes(memory.buffer(), claim);
    claim.guard(memory.referent());
    try {
      loop.bufferPool().pin(block);
    } catch (Throwable failure) {
      claim.endGuard();
      throw failure;
    }
    return kept;
  }

  private RetainedBytes copy(MemorySegment source, long from, int length, int counted) {
    RetainedMemory memory = RetainedMemory.copyOf(source.asSlice(from, length));
    Retention claim = new Retention(this, null, memory.arena(), counted);
    KeptBytes kept = new KeptBytes(memory.buffer(), claim);
    claim.guard(memory.referent());
    return kept;
  }

  private void count(int bytes) {
    RetentionGuard.collect();
    if (!tryCount(bytes)) {
      if (loop.isCurrent()) {
        log.warn(
            "received content above retainedBytesMax (" + bytesMax + " bytes) was not retained");
      }
      throw new HttpException(
          HttpStatus.SERVICE_UNAVAILABLE.code(),
          "more than " + bytesMax + " bytes of received content would be retained");
    }
  }

  /** Counts bytes that fit. Others aren't counted even for a moment, in which less could fit. */
  private boolean tryCount(int bytes) {
    long present = retained.get();
    while (bytes <= bytesMax - present) {
      long found = retained.compareAndExchange(present, present + bytes);
      if (found == present) {
        return true;
      }
      present = found;
    }
    return false;
  }

  void uncount(int bytes) {
    long ignored = retained.addAndGet(-bytes);
  }

  /** Logs bytes that became garbage without a release; on the loop. */
  void warnOfLoss(String text) {
    log.warn(text);
  }

  /** Returns the bytes that count against the limit; callable from any thread. */
  public long retainedBytes() {
    return retained.get();
  }

  /** Releases the bytes that have become garbage, and logs them. */
  public static void collectLost() {
    RetentionGuard.collect();
  }
}
