package dev.peregrine.parser.websocket;

import static dev.peregrine.parser.websocket.Utf8Automaton.BETWEEN;
import static dev.peregrine.parser.websocket.Utf8Automaton.INVALID;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.vector.Utf8Strides;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;

/**
 * Checks that text is UTF-8 (RFC 3629 section 4), in any pieces and without allocation. It finds a
 * fault at the first byte that can't continue valid text, also inside a character. Belongs to one
 * message at a time.
 *
 * <p>ASCII is skipped by words. The rest of a long piece is checked by vectors once they are
 * compiled (see {@link TextVectors}), and otherwise by an automaton.
 */
public final class Utf8Validator {
  /** The shortest piece that is checked by vectors, longer than a word and a stride. */
  private static final int VECTOR_BYTES_MIN = 128;

  /** The most that is checked by vectors before their result is tested. */
  private static final int VECTOR_BYTES_MAX = 1 << 14;

  /** A piece of this length makes it worthwhile to have vectors compiled. */
  private static final int LONG_BYTES_MIN = 1 << 12;

  private final boolean vectorsForced;
  private int state = BETWEEN;
  private boolean longWithoutVectors;

  /** Creates a validator at the start of a text. */
  public Utf8Validator() {
    this(false);
  }

  /** Creates a validator that uses vectors even before they are compiled, or as any other. */
  Utf8Validator(boolean vectorsForced) {
    this.vectorsForced = vectorsForced;
  }

  /** Begins another text. */
  public void clear() {
    state = BETWEEN;
  }

  /**
   * Continues with the bytes in {@code [from, to)}.
   *
   * @return false if the text is invalid; then it stays so until {@link #clear}
   * @throws IndexOutOfBoundsException if the range is not in the segment
   * @throws IllegalStateException if the segment's memory was freed; another thread must not free
   *     it during the call
   * @throws WrongThreadException if the segment belongs to another thread
   */
  public boolean accept(MemorySegment bytes, long from, long to) {
    Objects.checkFromToIndex(from, to, bytes.byteSize());
    if (from == to) {
      return state != INVALID;
    }
    if (!Memory.isInAll(bytes)) {
      state = advance(bytes, from, to);
      return state != INVALID;
    }
    // checked, because the later loads are not
    bytes.get(ValueLayout.JAVA_BYTE, from);
    try {
      long start = Memory.address(bytes, from);
      state = advance(Memory.ALL, start, start + (to - from));
    } finally {
      Reference.reachabilityFence(bytes);
    }
    return state != INVALID;
  }

  /** Returns true if the text is valid and doesn't end inside a character. */
  public boolean isComplete() {
    return state == BETWEEN;
  }

  /**
   * Returns true if {@link TextVectors#warmUp} would make this validator faster: it has met a long
   * piece that isn't ASCII, and vectors are available but not compiled.
   */
  public boolean wantsVectors() {
    return longWithoutVectors && !TextVectors.isWarm() && TextVectors.isAvailable();
  }

  private int advance(MemorySegment bytes, long from, long to) {
    long at = state == BETWEEN ? asciiEnd(bytes, from, to) : from;
    if (to - at >= VECTOR_BYTES_MIN && Memory.isAll(bytes)) {
      if (vectorsForced || TextVectors.isWarm()) {
        return afterVectors(state, bytes, at, to);
      }
      longWithoutVectors |= to - at >= LONG_BYTES_MIN;
    }
    return afterWords(state, bytes, at, to);
  }

  /** Returns an index before which there is only ASCII; a number of words after {@code from}. */
  private static long asciiEnd(MemorySegment bytes, long from, long to) {
    long at = from;
    while (to - at >= 8 * Long.BYTES && isAscii(eightWords(bytes, at))) {
      at += 8 * Long.BYTES;
    }
    while (to - at >= Long.BYTES && isAscii(Memory.longAt(bytes, at))) {
      at += Long.BYTES;
    }
    return at;
  }

  private static boolean isAscii(long words) {
    return (words & Swar.HIGH_BITS) == 0;
  }

  /** Returns the bits of eight words that are set in any of them. */
  private static long eightWords(MemorySegment bytes, long at) {
    return Memory.longAt(bytes, at)
        | Memory.longAt(bytes, at + Long.BYTES)
        | Memory.longAt(bytes, at + 2 * Long.BYTES)
        | Memory.longAt(bytes, at + 3 * Long.BYTES)
        | Memory.longAt(bytes, at + 4 * Long.BYTES)
        | Memory.longAt(bytes, at + 5 * Long.BYTES)
        | Memory.longAt(bytes, at + 6 * Long.BYTES)
        | Memory.longAt(bytes, at + 7 * Long.BYTES);
  }

  private static int afterWords(int begun, MemorySegment bytes, long from, long to) {
    int state = begun;
    long at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      long word = Memory.longAt(bytes, at);
      if (state != BETWEEN || !isAscii(word)) {
        state = Utf8Automaton.afterWord(state, word);
        if (state == INVALID) {
          return INVALID;
        }
      }
    }
    return Utf8Automaton.afterBytes(state, bytes, at, to);
  }

  private static int afterVectors(int begun, MemorySegment all, long from, long to) {
    // the first word by the automaton, because vectors load bytes before those that they check
    if (Utf8Automaton.afterWord(begun, Memory.longAt(all, from)) == INVALID) {
      return INVALID;
    }
    long at = from + Long.BYTES;
    for (; to - at > VECTOR_BYTES_MAX; at += VECTOR_BYTES_MAX) {
      if (Utf8Strides.unfinished(at, VECTOR_BYTES_MAX) < 0) {
        return INVALID;
      }
    }
    long last = Math.min(at, to - Utf8Strides.STRIDE);
    int unfinished = Utf8Strides.unfinished(last, (int) (to - last));
    return unfinished < 0 ? INVALID : Utf8Automaton.afterBytes(BETWEEN, all, to - unfinished, to);
  }
}
