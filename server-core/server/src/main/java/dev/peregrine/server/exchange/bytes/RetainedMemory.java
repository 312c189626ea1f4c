package dev.peregrine.server.exchange.bytes;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of retained bytes. With assertions it lies in an arena that is closed at the last
 * release, so that buffers which are used later throw. The JDK has no other check for them, and
 * this one isn't for production: to close an arena interrupts every thread for a moment.
 *
 * @param referent is garbage once no buffer shows the bytes
 * @param arena null if the use of buffers isn't checked
 */
record RetainedMemory(ByteBuffer buffer, Object referent, @Nullable Arena arena) {
  private static final boolean CHECKS = RetainedMemory.class.desiredAssertionStatus();

  // memory of a block can't be put into an arena otherwise
  private static final boolean CHECKS_BLOCKS =
      CHECKS && RetainedMemory.class.getModule().isNativeAccessEnabled();

  /** Shows memory of a block, which must stay as it is. */
  @SuppressWarnings("restricted") // the bounds stay the same
  static RetainedMemory of(MemorySegment memory) {
    Arena arena = CHECKS_BLOCKS ? Arena.ofShared() : null;
    MemorySegment shown = arena == null ? memory : memory.reinterpret(arena, null);
    ByteBuffer buffer = shown.asByteBuffer();
    return new RetainedMemory(buffer, buffer, arena);
  }

  /** Copies memory. */
  static RetainedMemory copyOf(MemorySegment memory) {
    if (CHECKS) {
      Arena arena = Arena.ofShared();
      ByteBuffer buffer = arena.allocate(memory.byteSize()).copyFrom(memory).asByteBuffer();
      return new RetainedMemory(buffer, buffer, arena);
    }
    byte[] copy = memory.toArray(ValueLayout.JAVA_BYTE);
    return new RetainedMemory(ByteBuffer.wrap(copy), copy, null);
  }
}
