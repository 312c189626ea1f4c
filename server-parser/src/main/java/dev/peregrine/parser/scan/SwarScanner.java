package dev.peregrine.parser.scan;

import dev.peregrine.parser.grammar.CharClass;
import java.lang.foreign.MemorySegment;

/** Eight bytes at a time in a long. */
public final class SwarScanner implements Scanner {
  @Override
  public int tokenEnd(MemorySegment bytes, int from, int to) {
    return ScalarScanner.end(CharClass.TOKEN, bytes, from, to);
  }

  @Override
  public int fieldValueEnd(MemorySegment bytes, int from, int to) {
    return ScalarScanner.end(CharClass.FIELD_VALUE, bytes, from, to);
  }

  @Override
  public int targetEnd(MemorySegment bytes, int from, int to) {
    return ScalarScanner.end(CharClass.TARGET, bytes, from, to);
  }
}
