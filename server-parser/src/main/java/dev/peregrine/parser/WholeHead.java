package dev.peregrine.parser;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.CharClass;
import dev.peregrine.parser.grammar.Memory;
import dev.peregrine.parser.scan.VectorScanner;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * Takes the usual head 64 bytes at a time: there completely, a known method, an origin form,
 * HTTP/1.1 or 1.0. Where a head differs it stops, so that {@link RequestLine} and the states of the
 * fields go on and say what is wrong, if anything is. Immutable.
 *
 * <p>Blocks are counted from the head's first byte: none has to wait for what was found in another.
 */
final class WholeHead {
  private static final int BLOCK = VectorScanner.BLOCK;
  private static final int SHORTEST = "GET / HTTP/1.1\r\n\r\n".length();
  private static final int GET = Methods.find(Memory.word("GET "));
  private static final long GET_SLASH = Memory.word("GET /");
  private static final long GET_SLASH_MASK = -1L >>> (Long.SIZE - "GET /".length() * Byte.SIZE);
  private static final int CONNECT = Methods.find(Memory.word("CONNECT "));

  /** What is behind a target: two words that overlap. */
  private static final int VERSION_AND_LINE_END = " HTTP/1.1\r\n".length();

  private static final long VERSION = Memory.word(" HTTP/1.");
  private static final long LAST_OF_1_1 = Memory.word("TP/1.1\r\n");
  private static final long LAST_OF_1_0 = Memory.word("TP/1.0\r\n");

  private final VectorScanner scanner;
  private final ParserLimits limits;
  private final boolean acceptsBarePercent;

  WholeHead(VectorScanner scanner, ParserLimits limits, Set<Leniency> leniencies) {
    this.scanner = scanner;
    this.limits = limits;
    acceptsBarePercent = leniencies.contains(Leniency.BARE_PERCENT);
  }

  /**
   * Takes a head's request line.
   *
   * @param lastBlock the last index at which a block can be loaded
   * @return the index of the block in which the target ends, or -1 if the line was not taken
   */
  long takeRequestLine(MemorySegment bytes, long base, long to, long lastBlock, RequestHead head) {
    if (to - base < SHORTEST || base > lastBlock) {
      return -1;
    }
    long word = Memory.longAt(bytes, base);
    int method = GET;
    int start = "GET ".length();
    if ((word & GET_SLASH_MASK) != GET_SLASH) {
      method = Methods.find(word);
      start = Methods.length(method) + 1;
      if (method == Methods.OTHER
          || method == CONNECT
          || Memory.byteAt(bytes, base + start) != '/') {
        return -1;
      }
    }
    long at = base;
    long inTarget = -1L << start;
    long questionMark = RequestHead.NONE;
    long special;
    while (true) {
      special = scanner.specialInTarget(bytes, at) & inTarget;
      if (special != 0 && !isEnd(bytes, at + Long.numberOfTrailingZeros(special))) {
        special = behindSpecial(bytes, at, to, special);
      }
      if (questionMark == RequestHead.NONE) {
        long marks = scanner.equalTo((byte) '?', bytes, at) & inTarget & ((special & -special) - 1);
        questionMark = marks == 0 ? RequestHead.NONE : at + Long.numberOfTrailingZeros(marks);
      }
      if (special != 0) {
        break;
      }
      at += BLOCK;
      inTarget = -1;
      if (at > lastBlock) {
        return -1;
      }
    }
    long end = at + Long.numberOfTrailingZeros(special);
    int minorVersion = minorVersion(bytes, end, to);
    int fields = (int) (end - base) + VERSION_AND_LINE_END;
    if (minorVersion < 0 || fields - 2 > limits.requestLineBytesMax()) {
      return -1;
    }
    head.setRequestLine(method, start, (int) (end - base), minorVersion);
    if (questionMark != RequestHead.NONE) {
      head.setQuery((int) (questionMark - base));
    }
    head.fields.begin(fields, limits.headerBytesMax(), limits.fieldsMax());
    return at;
  }

  /** Takes the value of a Host that is the first field, as it nearly always is, if it is plain. */
  void takeHost(MemorySegment bytes, long base, long to, long lastBlock, RequestHead head) {
    long field = base + head.fields.at();
    if (field + UsualFraming.HOST_LENGTH >= lastBlock || !UsualFraming.isHost(bytes, field)) {
      return;
    }
    long start = UsualFraming.behindSpace(bytes, field + UsualFraming.HOST_LENGTH);
    long end = start + Long.numberOfTrailingZeros(~scanner.hostsMostly(bytes, start));
    if (end == start || end + 1 + Long.BYTES > to) {
      return;
    }
    if (Memory.byteAt(bytes, end) == Ascii.COLON) {
      end = UsualFraming.portEnd(bytes, end + 1);
    }
    if (Memory.shortAt(bytes, end) == Ascii.CRLF) {
      head.hostStart = (int) (start - base);
      head.hostEnd = (int) (end - base);
    }
  }

  VectorScanner scanner() {
    return scanner;
  }

  /** Whether the target ends here, in a usual request line. */
  private static boolean isEnd(MemorySegment bytes, long at) {
    return Memory.byteAt(bytes, at) == Ascii.SP;
  }

  /** The minor version in the rest of a request line, or -1 if it is not a usual one. */
  private static int minorVersion(MemorySegment bytes, long end, long to) {
    if (end + VERSION_AND_LINE_END > to || Memory.longAt(bytes, end) != VERSION) {
      return -1;
    }
    long last = Memory.longAt(bytes, end + VERSION_AND_LINE_END - Long.BYTES);
    if (last == LAST_OF_1_1) {
      return 1;
    }
    return last == LAST_OF_1_0 ? 0 : -1;
  }

  /** The special bytes less those before the first that is not right in a target. */
  private long behindSpecial(MemorySegment bytes, long at, long to, long special) {
    long left = special;
    while (left != 0) {
      long next = at + Long.numberOfTrailingZeros(left);
      byte value = Memory.byteAt(bytes, next);
      boolean right =
          value == '%'
              ? acceptsBarePercent || isEncoded(bytes, next, to)
              : CharClass.TARGET.contains(value);
      if (!right) {
        break;
      }
      left &= left - 1;
    }
    return left;
  }

  private static boolean isEncoded(MemorySegment bytes, long percent, long to) {
    return percent + 2 < to
        && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, percent + 1))
        && CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, percent + 2));
  }
}
