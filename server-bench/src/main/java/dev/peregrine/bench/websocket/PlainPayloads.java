package dev.peregrine.bench.websocket;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The forms that the benchmarks of payloads compare with, and the raw ceiling. */
final class PlainPayloads {
  private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;

  private PlainPayloads() {}

  /** Unmasks byte by byte. */
  static void unmaskBytes(MemorySegment bytes, long from, int length, int key) {
    for (int i = 0; i < length; i++) {
      byte masked = bytes.get(ValueLayout.JAVA_BYTE, from + i);
      bytes.set(ValueLayout.JAVA_BYTE, from + i, (byte) (masked ^ (key >>> (i % 4 * Byte.SIZE))));
    }
  }

  /** Unmasks by words, in a loop of which C2 makes no vectors, because its variable is a long. */
  static void unmaskWords(MemorySegment bytes, long from, int length, int key) {
    long start = Memory.address(bytes, from);
    long end = start + length;
    long wide = wide(key);
    for (long at = start; end - at >= Long.BYTES; at += Long.BYTES) {
      Memory.putLong(Memory.ALL, at, Memory.longAt(Memory.ALL, at) ^ wide);
    }
  }

  /** Unmasks by the Vector API, and the rest by words. */
  static void unmaskVectors(MemorySegment bytes, long from, int length, int key) {
    long start = Memory.address(bytes, from);
    LongVector wide = LongVector.broadcast(SPECIES, wide(key));
    int stride = SPECIES.vectorByteSize();
    int i = 0;
    for (; i <= length - stride; i += stride) {
      LongVector.fromMemorySegment(SPECIES, Memory.ALL, start + i, ByteOrder.LITTLE_ENDIAN)
          .lanewise(VectorOperators.XOR, wide)
          .intoMemorySegment(Memory.ALL, start + i, ByteOrder.LITTLE_ENDIAN);
    }
    unmaskWords(bytes, from + i, length - i, key);
  }

  private static long wide(int key) {
    return Integer.toUnsignedLong(key) << Integer.SIZE | Integer.toUnsignedLong(key);
  }

  /** Returns a sum of all words, each with a bit changed: C2 makes no vectors of a mere sum. */
  static long sum(MemorySegment bytes, long from, int length) {
    long start = Memory.address(bytes, from);
    int words = length / Long.BYTES;
    long sum = 0;
    for (int i = 0; i < words; i++) {
      sum += Memory.longAt(Memory.ALL, start + (long) Long.BYTES * i) ^ 1;
    }
    return sum;
  }

  /** Checks UTF-8 byte by byte. */
  static boolean isText(MemorySegment bytes, long from, int length) {
    int left = 0;
    int lowest = 0x80;
    int highest = 0xBF;
    for (int i = 0; i < length; i++) {
      int value = bytes.get(ValueLayout.JAVA_BYTE, from + i) & 0xFF;
      if (left > 0) {
        if (value < lowest || value > highest) {
          return false;
        }
        lowest = 0x80;
        highest = 0xBF;
        left--;
      } else if (value >= 0x80) {
        if (value < 0xC2 || value > 0xF4) {
          return false;
        }
        left = value < 0xE0 ? 1 : value < 0xF0 ? 2 : 3;
        lowest = value == 0xE0 ? 0xA0 : value == 0xF0 ? 0x90 : 0x80;
        highest = value == 0xED ? 0x9F : value == 0xF4 ? 0x8F : 0xBF;
      }
    }
    return left == 0;
  }
}
