package dev.peregrine.parser.scan;

import dev.peregrine.parser.grammar.CharClass;
import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;

/** One byte at a time, straight from the tables: the reference. */
public final class ScalarScanner implements Scanner {
  @Override
  public int tokenEnd(MemorySegment bytes, int from, int to) {
    return end(CharClass.TOKEN, bytes, from, to);
  }

  @Override
  public int fieldValueEnd(MemorySegment bytes, int from, int to) {
    return end(CharClass.FIELD_VALUE, bytes, from, to);
  }

  @Override
  public int targetEnd(MemorySegment bytes, int from, int to) {
    return end(CharClass.TARGET, bytes, from, to);
  }

  @Override
  public int indexOf(byte value, MemorySegment bytes, int from, int to) {
    int at = from;
    while (at < to && Memory.byteAt(bytes, at) != value) {
      at++;
    }
    return at;
  }

  private static int end(CharClass charClass, MemorySegment bytes, int from, int to) {
    int at = from;
    while (at < to && charClass.contains(Memory.byteAt(bytes, at))) {
      at++;
    }
    return at;
  }
}
