package dev.peregrine.parser.field;

import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Recognises up to 63 field names in any case. Immutable. */
public final class NameTable {
  /** The id of every name that the table does not hold. */
  public static final int UNKNOWN = 63;

  static final int IDS = 64;
  static final long UNKNOWN_BIT = 1L << UNKNOWN;

  private final String[] names;

  /** A name's id is its place in the list. */
  public NameTable(List<String> names) {
    this.names = names.toArray(String[]::new);
  }

  /** The id of the token in {@code [start, end)}. */
  int find(MemorySegment bytes, int start, int end) {
    for (int id = 0; id < names.length; id++) {
      if (matches(names[id], bytes, start, end)) {
        return id;
      }
    }
    return UNKNOWN;
  }

  private static boolean matches(String name, MemorySegment bytes, int start, int end) {
    if (name.length() != end - start) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.toLowerCase(name.charAt(i))
          != Character.toLowerCase((char) (Memory.byteAt(bytes, start + i) & 0xFF))) {
        return false;
      }
    }
    return true;
  }
}
