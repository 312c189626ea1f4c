package dev.peregrine.parser.websocket;

import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;

/**
 * The rules of UTF-8 as a finite automaton (RFC 3629 section 4). The row of a byte has the
 * following state of each state, six bits each, and a state is the index of its bits in a row. So a
 * step is one load and one shift, without branches.
 */
final class Utf8Automaton {
  static final int INVALID = 0;

  private static final int STATE_BITS = 6;
  private static final int STATE_MASK = (1 << STATE_BITS) - 1;

  /** Between two characters. */
  static final int BETWEEN = STATE_BITS;

  // inside a character: the bytes that are left of it, of which the first may be restricted
  private static final int ONE_LEFT = 2 * STATE_BITS;
  private static final int TWO_LEFT = 3 * STATE_BITS;
  private static final int THREE_LEFT = 4 * STATE_BITS;
  private static final int AFTER_E0 = 5 * STATE_BITS;
  private static final int AFTER_ED = 6 * STATE_BITS;
  private static final int AFTER_F0 = 7 * STATE_BITS;
  private static final int AFTER_F4 = 8 * STATE_BITS;

  private static final long[] ROWS = rows();

  private Utf8Automaton() {}

  /** Returns the state after the bytes in {@code [from, to)}. */
  static int afterBytes(int begun, MemorySegment bytes, long from, long to) {
    long state = begun;
    for (long at = from; at < to; at++) {
      state = after(state, Memory.byteAt(bytes, at));
    }
    return (int) state & STATE_MASK;
  }

  /** Returns the state after eight bytes, the first of which is the lowest of the word. */
  static int afterWord(int begun, long word) {
    long state = begun;
    state = after(state, (int) word);
    state = after(state, (int) (word >>> 8));
    state = after(state, (int) (word >>> 16));
    state = after(state, (int) (word >>> 24));
    state = after(state, (int) (word >>> 32));
    state = after(state, (int) (word >>> 40));
    state = after(state, (int) (word >>> 48));
    state = after(state, (int) (word >>> 56));
    return (int) state & STATE_MASK;
  }

  /** Returns the state in the lowest six bits, which are all that a shift uses of its distance. */
  private static long after(long state, int value) {
    return ROWS[value & 0xFF] >>> state;
  }

  /** The transitions that are not in a row lead to {@link #INVALID}. */
  private static long[] rows() {
    long[] rows = new long[256];
    add(rows, BETWEEN, 0x00, 0x7F, BETWEEN);
    add(rows, BETWEEN, 0xC2, 0xDF, ONE_LEFT);
    add(rows, BETWEEN, 0xE0, 0xE0, AFTER_E0);
    add(rows, BETWEEN, 0xE1, 0xEC, TWO_LEFT);
    add(rows, BETWEEN, 0xED, 0xED, AFTER_ED);
    add(rows, BETWEEN, 0xEE, 0xEF, TWO_LEFT);
    add(rows, BETWEEN, 0xF0, 0xF0, AFTER_F0);
    add(rows, BETWEEN, 0xF1, 0xF3, THREE_LEFT);
    add(rows, BETWEEN, 0xF4, 0xF4, AFTER_F4);
    add(rows, ONE_LEFT, 0x80, 0xBF, BETWEEN);
    add(rows, TWO_LEFT, 0x80, 0xBF, ONE_LEFT);
    add(rows, THREE_LEFT, 0x80, 0xBF, TWO_LEFT);
    add(rows, AFTER_E0, 0xA0, 0xBF, ONE_LEFT);
    add(rows, AFTER_ED, 0x80, 0x9F, ONE_LEFT);
    add(rows, AFTER_F0, 0x90, 0xBF, TWO_LEFT);
    add(rows, AFTER_F4, 0x80, 0x8F, TWO_LEFT);
    return rows;
  }

  private static void add(long[] rows, int state, int first, int last, long next) {
    for (int value = first; value <= last; value++) {
      rows[value] |= next << state;
    }
  }
}
