package dev.peregrine.parser.scan;

import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;

/** A scanner of one byte at a time, by the tables: the reference for the others. */
public final class ScalarScanner implements Scanner {
  @Override
  public long tokenEnd(MemorySegment bytes, long from, long to) {
    return end(CharClass.TOKEN, bytes, from, to);
  }

  @Override
  public long fieldValueEnd(MemorySegment bytes, long from, long to) {
    return end(CharClass.FIELD_VALUE, bytes, from, to);
  }

  @Override
  public long targetEnd(MemorySegment bytes, long from, long to) {
    return end(CharClass.TARGET, bytes, from, to);
  }

  @Override
  public long plainPathEnd(MemorySegment bytes, long from, long to) {
    return end(CharClass.PLAIN_PATH, bytes, from, to);
  }

  @Override
  public long indexOf(byte value, MemorySegment bytes, long from, long to) {
    long at = from;
    while (at < to && Memory.byteAt(bytes, at) != value) {
      at++;
    }
    return at;
  }

  private static long end(CharClass charClass, MemorySegment bytes, long from, long to) {
    long at = from;
    while (at < to && charClass.contains(Memory.byteAt(bytes, at))) {
      at++;
    }
    return at;
  }
}
