package dev.peregrine.parser.multipart;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.vector.DelimiterStrides;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The delimiter between the parts of multipart content: CR, LF, two hyphens and the boundary (RFC
 * 2046 section 5.1.1). Immutable, and searches without allocation.
 *
 * <p>A boundary has no CR, so a delimiter never begins within another one. The time of a search is
 * proportional to the number of bytes, whatever they are.
 *
 * <p>Content is searched by vectors once they are compiled (see {@link DelimiterVectors}), and
 * otherwise by words.
 */
public final class Delimiter {
  /** The longest boundary (RFC 2046 section 5.1.1). */
  public static final int BOUNDARY_BYTES_MAX = 70;

  private static final String OTHER_BOUNDARY_CHARACTERS = "'()+_,-./:=? ";
  private static final long CRS = Swar.repeat(Ascii.CR);

  /** The most that is searched at a time, so that an int counts it. */
  private static final int SEARCH_BYTES_MAX = 1 << 30;

  private final byte[] bytes;
  private final MemorySegment segment;
  private final boolean vectorsForced;

  /**
   * Creates the delimiter of a boundary.
   *
   * @throws IllegalArgumentException unless {@link #isBoundary}
   */
  public Delimiter(String boundary) {
    this(boundary, false);
  }

  /** Creates a delimiter that uses vectors even before they are compiled, or as any other. */
  Delimiter(String boundary, boolean vectorsForced) {
    if (!isBoundary(boundary)) {
      throw new IllegalArgumentException("the text is not a boundary of multipart content");
    }
    this.bytes = ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    this.segment = MemorySegment.ofArray(bytes).asReadOnly();
    this.vectorsForced = vectorsForced;
  }

  /**
   * Returns true if a text can be a boundary: 1 to {@link #BOUNDARY_BYTES_MAX} characters of those
   * that RFC 2046 section 5.1.1 lists, and no space at the end.
   */
  public static boolean isBoundary(String text) {
    int length = text.length();
    if (length == 0 || length > BOUNDARY_BYTES_MAX || text.charAt(length - 1) == ' ') {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (!isBoundaryCharacter(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBoundaryCharacter(char c) {
    char small = (char) (c | Ascii.CASE_BIT);
    return (small >= 'a' && small <= 'z')
        || (c >= '0' && c <= '9')
        || OTHER_BOUNDARY_CHARACTERS.indexOf(c) >= 0;
  }

  /** Returns the number of bytes, with the line end before the hyphens. */
  public int length() {
    return bytes.length;
  }

  /** Returns the bytes, read-only. */
  public MemorySegment segment() {
    return segment;
  }

  /**
   * Finds the first delimiter in {@code [from, to)}, or the beginning of one that the range cuts.
   *
   * @return the index of its first byte, {@code to} if there is none. It is a whole delimiter if
   *     {@link #length} bytes remain
   * @throws IndexOutOfBoundsException if the range is not in the segment
   * @throws IllegalStateException if the segment's memory was freed; another thread must not free
   *     it during the call
   * @throws WrongThreadException if the segment belongs to another thread
   */
  public long indexOf(MemorySegment content, long from, long to) {
    Objects.checkFromToIndex(from, to, content.byteSize());
    if (from == to) {
      return to;
    }
    if (!Memory.isInAll(content)) {
      return find(content, from, to);
    }
    // checked, because the later loads are not
    content.get(ValueLayout.JAVA_BYTE, from);
    try {
      long start = Memory.address(content, from);
      return find(Memory.ALL, start, start + (to - from)) - start + from;
    } finally {
      Reference.reachabilityFence(content);
    }
  }

  /**
   * Returns the number of bytes from index {@code at} on that are those of the delimiter.
   *
   * @param first the index of the first byte of the delimiter to compare, 0 to {@link #length}
   * @throws IndexOutOfBoundsException if the range is not in the segment
   */
  public int matching(MemorySegment content, long at, long to, int first) {
    Objects.checkFromToIndex(at, to, content.byteSize());
    return matchingIn(content, at, to, first);
  }

  private int matchingIn(MemorySegment content, long at, long to, int first) {
    int count = (int) Math.min(to - at, bytes.length - first);
    int i = 0;
    while (i + Long.BYTES <= count
        && Memory.longAt(content, at + i) == Memory.longAt(bytes, first + i)) {
      i += Long.BYTES;
    }
    while (i < count && Memory.byteAt(content, at + i) == bytes[first + i]) {
      i++;
    }
    return i;
  }

  private long find(MemorySegment content, long from, long to) {
    boolean byVectors =
        (vectorsForced || DelimiterVectors.isWarm())
            && (Memory.isAll(content) || !content.isNative());
    long at = from;
    while (at < to) {
      long stop = to;
      if (byVectors && to - at >= DelimiterStrides.BYTES_MIN) {
        at += skip(content, at, (int) Math.min(to - at, SEARCH_BYTES_MAX));
        stop = Math.min(to, at + DelimiterStrides.STRIDE);
      }
      while (at < stop) {
        at = indexOfCr(content, at, stop);
        int matching = at < stop ? matchingIn(content, at, to, 0) : 0;
        if (matching > 0 && (matching == bytes.length || at + matching == to)) {
          return at;
        }
        at += matching;
      }
    }
    return to;
  }

  private static int skip(MemorySegment content, long from, int count) {
    return Memory.isAll(content)
        ? DelimiterStrides.skip(from, count)
        : DelimiterStrides.skip(content, from, count);
  }

  private static long indexOfCr(MemorySegment content, long from, long to) {
    long at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      long found = Swar.zeros(Memory.longAt(content, at) ^ CRS);
      if (found != 0) {
        return at + Swar.index(found);
      }
    }
    while (at < to && Memory.byteAt(content, at) != Ascii.CR) {
      at++;
    }
    return at;
  }
}
