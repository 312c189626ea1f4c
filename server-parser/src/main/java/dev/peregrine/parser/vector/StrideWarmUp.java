package dev.peregrine.parser.vector;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * Has C2 compile the methods that test a stride with vectors, for little garbage. C2 compiles a
 * method after some 5,000 calls, or several times as many while others wait. Until then a call
 * allocates an object for each vector, one or two kilobytes in all, so nearly all calls here are
 * for no bytes: they count, and allocate nothing.
 *
 * <p>The others are enough for C2 to know the code that handles bytes. The methods have no branch
 * that depends on bytes, so the values don't matter. Not thread-safe.
 */
public final class StrideWarmUp implements BooleanSupplier {
  private static final int CALLS_PER_STEP = 64; // beyond a hundred C2 would leave code out
  private static final int STEPS = 20_480 / CALLS_PER_STEP;
  private static final int STRIDE = VectorScanner.STRIDE;

  private final MemorySegment bytes = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(STRIDE));
  private int steps;

  /**
   * Does a step, after which the compilers should have some time.
   *
   * @return false if there is none left
   */
  @Override
  public boolean getAsBoolean() {
    if (steps == STEPS) {
      return false;
    }
    steps++;
    boolean isInAll = Memory.isInAll(bytes);
    MemorySegment known = isInAll ? Memory.ALL : bytes;
    try {
      long _ = call(known, isInAll ? Memory.address(bytes, 0) : 0, isInAll);
    } finally {
      Reference.reachabilityFence(bytes);
    }
    return true;
  }

  /**
   * Calls each method often, and is called seldom itself, so that C2 doesn't compile it: their
   * calls would become parts of it. A method gets the segments that {@link VectorScanner} gets.
   */
  private long call(MemorySegment known, long address, boolean isInAll) {
    MemorySegment any = steps % 2 == 0 ? known : bytes;
    long at = steps % 2 == 0 ? address : 0;
    long results = 0;
    for (int i = 0; i < CALLS_PER_STEP; i++) {
      int length = i == 0 ? STRIDE : 0;
      results ^= VectorScanner.equalTo(Ascii.CR, any, at, length);
      results ^= VectorScanner.illegalInValue(any, at, length);
      results ^= VectorScanner.namesMostly(any, at, length);
      results ^= VectorScanner.framingSeconds(any, at, length);
      results ^= VectorScanner.illegalInTarget(bytes, 0, length);
      results ^= VectorScanner.hostsMostly(known, address, length);
      results ^= VectorScanner.specialInTarget(known, address, length);
      if (isInAll) {
        results ^= NativeStride.equalTo(Ascii.CR, address, length);
        results ^= NativeStride.beyondPrintable(address, length);
        results ^= NativeStride.namesMostly(address, length);
        results ^= NativeStride.framingSeconds(address, length);
      }
    }
    return results;
  }
}
