package dev.peregrine.parser.body;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.SwarScanner;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/** A search for one byte of content, eight bytes at a time, such as for the end of a line. */
public final class ByteSearch {
  private static final SwarScanner SCANNER = new SwarScanner();

  private ByteSearch() {}

  /**
   * Returns the index of the first such byte in {@code [from, to)}; {@code to} if there is none.
   *
   * @throws IndexOutOfBoundsException if the range is not in the segment
   * @throws IllegalStateException if the segment's memory was freed; another thread must not free
   *     it during the call
   * @throws WrongThreadException if the segment belongs to another thread
   */
  public static long indexOf(byte wanted, MemorySegment content, long from, long to) {
    Objects.checkFromToIndex(from, to, content.byteSize());
    if (from == to) {
      return to;
    }
    if (!Memory.isInAll(content)) {
      return SCANNER.indexOf(wanted, content, from, to);
    }
    byte first = content.get(ValueLayout.JAVA_BYTE, from); // checked: the later loads are not
    if (first == wanted) {
      return from;
    }
    try {
      long start = Memory.address(content, from);
      return SCANNER.indexOf(wanted, Memory.ALL, start, start + (to - from)) - start + from;
    } finally {
      Reference.reachabilityFence(content);
    }
  }
}
