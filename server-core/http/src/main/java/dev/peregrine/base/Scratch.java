package dev.peregrine.base;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Arrays for bytes on their way out of native memory into a String, which takes arrays only, and
 * copies them. They are used again, so that a text costs the garbage of its String alone. Neither
 * locks nor, as a rule, allocates. Thread-safe.
 */
public final class Scratch {
  /** Larger arrays aren't kept. */
  private static final int KEPT_BYTES_MAX = 64 * 1024;

  private static final int KEPT_BYTES_MIN = 1024;
  private static final int SLOTS = 16; // a power of two
  private static final int APART = 32; // references, so that two loops don't share a cache line

  private static final AtomicReferenceArray<byte @Nullable []> IDLE =
      new AtomicReferenceArray<>(SLOTS * APART);

  private Scratch() {}

  /** Returns an array of at least that length, with any content. */
  public static byte[] take(int length) {
    byte[] idle = length > KEPT_BYTES_MAX ? null : IDLE.getAndSet(slot(), null);
    if (idle != null && idle.length >= length) {
      return idle;
    }
    return new byte[Math.max(KEPT_BYTES_MIN, roundUp(length))];
  }

  private static int roundUp(int length) {
    return length > KEPT_BYTES_MAX ? length : Integer.highestOneBit(2 * length - 1);
  }

  /** Gives an array back, which may be lost instead. It must not be used any more. */
  public static void giveBack(byte[] array) {
    if (array.length <= KEPT_BYTES_MAX) {
      IDLE.setRelease(slot(), array);
    }
  }

  private static int slot() {
    return ((int) Thread.currentThread().threadId() & (SLOTS - 1)) * APART;
  }

  /** Returns a range of memory as text, in which U+FFFD replaces what is malformed. */
  public static String text(MemorySegment bytes, long from, int length, Charset charset) {
    if (length == 0) {
      return "";
    }
    byte[] copy = take(length);
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, from, copy, 0, length);
    String text = new String(copy, 0, length, charset);
    giveBack(copy);
    return text;
  }
}
