package dev.peregrine.parser.value;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;

/** {@code "%" HEXDIG HEXDIG}: RFC 3986 section 2.1. */
public final class PercentEncoding {
  private PercentEncoding() {}

  /** Returns true if two hexadecimal digits follow the percent sign at an index. */
  public static boolean isAt(MemorySegment bytes, long percent, long end) {
    return percent + 2 < end
        && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, percent + 1))
        && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, percent + 2));
  }
}
