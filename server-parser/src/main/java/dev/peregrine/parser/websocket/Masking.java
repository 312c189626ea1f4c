package dev.peregrine.parser.websocket;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/** Masks and unmasks payloads in place, which are the same operation (RFC 6455 section 5.3). */
public final class Masking {
  private Masking() {}

  /**
   * Combines each byte of a part of a payload with its byte of the key.
   *
   * @param key from {@link FrameHead#maskingKey}: its lowest byte is the first one on the wire
   * @param phase the number of bytes of the payload before {@code from}, or that modulo 4
   * @throws IndexOutOfBoundsException if the range is not in the segment
   * @throws IllegalStateException if the segment's memory was freed; another thread must not free
   *     it during the call
   * @throws WrongThreadException if the segment belongs to another thread
   * @throws IllegalArgumentException if the segment is read-only
   */
  public static void apply(MemorySegment bytes, long from, long to, int key, int phase) {
    Objects.checkFromToIndex(from, to, bytes.byteSize());
    int rotated = Integer.rotateRight(key, phase * Byte.SIZE);
    if (from == to) {
      return;
    }
    if (!Memory.isInAll(bytes) || bytes.isReadOnly()) {
      applyWords(bytes, from, to, rotated);
      return;
    }
    // checked, because the later loads and stores are not
    bytes.get(ValueLayout.JAVA_BYTE, from);
    try {
      long start = Memory.address(bytes, from);
      applyWords(Memory.ALL, start, start + (to - from), rotated);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  /** C2 makes vectors of a loop of this form: its variable is an int, and counts words. */
  private static void applyWords(MemorySegment bytes, long from, long to, int key) {
    long wide = Integer.toUnsignedLong(key) << Integer.SIZE | Integer.toUnsignedLong(key);
    int words = (int) Math.min((to - from) / Long.BYTES, Integer.MAX_VALUE);
    if (Memory.isAll(bytes)) {
      for (int i = 0; i < words; i++) {
        applyWord(Memory.ALL, from + (long) Long.BYTES * i, wide);
      }
    } else {
      for (int i = 0; i < words; i++) {
        applyWord(bytes, from + (long) Long.BYTES * i, wide);
      }
    }
    long at = from + (long) Long.BYTES * words;
    if (to - at >= Integer.BYTES) {
      Memory.putInt(bytes, at, Memory.intAt(bytes, at) ^ key);
      at += Integer.BYTES;
    }
    int next = key;
    for (; at < to; at++) {
      Memory.putByte(bytes, at, (byte) (Memory.byteAt(bytes, at) ^ next));
      next = Integer.rotateRight(next, Byte.SIZE);
    }
  }

  private static void applyWord(MemorySegment bytes, long at, long wide) {
    Memory.putLong(bytes, at, Memory.longAt(bytes, at) ^ wide);
  }
}
