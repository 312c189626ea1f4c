package dev.peregrine.parser.hpack;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;

/** A field block, of which integers are read, RFC 7541 section 5.1. */
final class BlockReader {
  /** Returned instead of an index or a length, for an error of the compression. */
  static final long ERROR = -1;

  /** The most octets of an integer after the first. */
  private static final int GROUPS_MAX = 5;

  private static final int GROUP_MASK = 0x7F;
  private static final int GROUP_BITS = 7;

  private long start;
  private long end;

  private int integer;

  /** Starts a block. */
  void begin(long from, long to) {
    start = from;
    end = to;
  }

  /** Returns the first index of the block. */
  long start() {
    return start;
  }

  /** Returns the index after the block. */
  long end() {
    return end;
  }

  /** Returns the integer that was read last. */
  int integer() {
    return integer;
  }

  /**
   * Reads an integer, whose first octet is in the block.
   *
   * @param prefix the bits of the first octet that belong to the integer
   * @return the index after the integer, or {@link #ERROR}
   */
  long readInteger(MemorySegment bytes, long at, int prefix) {
    int first = Memory.byteAt(bytes, at) & prefix;
    if (first < prefix) {
      integer = first;
      return at + 1;
    }
    long value = first;
    long stop = Math.min(end, at + 1 + GROUPS_MAX);
    int shift = 0;
    for (long i = at + 1; i < stop; i++) {
      int octet = Memory.byteAt(bytes, i);
      value += (long) (octet & GROUP_MASK) << shift;
      shift += GROUP_BITS;
      if (octet >= 0) {
        integer = (int) value;
        return value <= Integer.MAX_VALUE ? i + 1 : ERROR;
      }
    }
    return ERROR;
  }
}
