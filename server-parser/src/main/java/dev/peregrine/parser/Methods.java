package dev.peregrine.parser;

import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;

/** Recognises the known methods, case-sensitively, as one word each. */
final class Methods {
  private static final HttpMethod[] METHODS = HttpMethod.values();
  private static final long[] WORDS = words();

  private Methods() {}

  /** The method whose token is {@code [start, end)}. */
  static HttpMethod find(MemorySegment bytes, int start, int end) {
    if (end - start >= Long.BYTES) {
      return HttpMethod.OTHER;
    }
    long word = 0;
    for (int at = end - 1; at >= start; at--) {
      word = word << Byte.SIZE | Memory.byteAt(bytes, at);
    }
    for (int i = 0; i < WORDS.length; i++) {
      if (WORDS[i] == word) {
        return METHODS[i];
      }
    }
    return HttpMethod.OTHER;
  }

  private static long[] words() {
    long[] words = new long[METHODS.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = METHODS[i] == HttpMethod.OTHER ? 0 : Memory.word(METHODS[i].name());
    }
    return words;
  }
}
