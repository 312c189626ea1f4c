package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.field.StrideScanner;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.parser.value.Authority;
import dev.peregrine.parser.value.PercentEncoding;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The parser of the common head, 64 bytes at a time: complete, with a known method, an origin form,
 * HTTP/1.1 or 1.0. It stops at a head that differs. {@link RequestLine} and the states of the
 * fields then continue, and report faults. Immutable.
 *
 * <p>The strides of the fields begin with the CR of the request line: few in a short head.
 */
final class FastHead {
  private static final int STRIDE = StrideScanner.STRIDE;
  private static final int SHORTEST = "GET / HTTP/1.1\r\n\r\n".length();
  private static final int GET = Methods.find(Memory.word("GET "));
  private static final long GET_SLASH = Memory.word("GET /");
  private static final long GET_SLASH_MASK = -1L >>> (Long.SIZE - "GET /".length() * Byte.SIZE);
  private static final int CONNECT = Methods.find(Memory.word("CONNECT "));

  /** The version and line end after a target: two words that overlap. */
  private static final int VERSION_AND_LINE_END = " HTTP/1.1\r\n".length();

  private static final int HOST_LENGTH = "host: ".length();
  private static final long HOST = Memory.word("host: ");
  private static final long HOST_BYTES = -1L >>> (Long.SIZE - HOST_LENGTH * Byte.SIZE);
  private static final long CASE_BITS = Swar.repeat(Ascii.CASE_BIT);
  private static final long VERSION = Memory.word(" HTTP/1.");
  private static final long LAST_OF_1_1 = Memory.word("TP/1.1\r\n");
  private static final long LAST_OF_1_0 = Memory.word("TP/1.0\r\n");

  private final StrideScanner scanner;
  private final ParserLimits limits;
  private final boolean acceptsBarePercent;

  FastHead(StrideScanner scanner, ParserLimits limits, Set<Leniency> leniencies) {
    this.scanner = scanner;
    this.limits = limits;
    acceptsBarePercent = leniencies.contains(Leniency.BARE_PERCENT);
  }

  /**
   * Takes a head if it is complete and of the common form.
   *
   * @param segmentEnd the index after the last byte that may be loaded
   * @return the head's length, {@link RequestParser#REJECTED}, or {@link RequestParser#NEED_MORE}:
   *     then it must be parsed in the general way, from the start or, if the head's state is
   *     FIELDS, from the first line that is not whole and valid
   */
  int parse(MemorySegment bytes, long base, long to, long segmentEnd, RequestHead head) {
    long lastStride = segmentEnd - STRIDE;
    int fields = takeRequestLine(bytes, base, to, lastStride, head);
    if (fields < 0) {
      return RequestParser.NEED_MORE;
    }
    head.state = RequestHead.FIELDS;
    boolean hostTaken = takeHost(bytes, base, fields, to, lastStride, head);
    int end =
        head.fields.takeAll(
            scanner,
            bytes,
            base,
            to,
            lastStride,
            fields,
            limits.headerBytesMax(),
            limits.fieldsMax());
    if (end == FieldSection.NEED_MORE) {
      return RequestParser.NEED_MORE;
    }
    return FastFraming.read(
            bytes, base, base + end, segmentEnd, hostTaken ? base + fields : RequestHead.NONE, head)
        ? head.complete(end)
        : check(bytes, base, end, head);
  }

  /** Completes a head whose framing isn't the usual one, or rejects it. */
  static int check(MemorySegment bytes, long base, int end, RequestHead head) {
    head.framing.find(bytes, base, head.lines());
    return HeadRules.check(bytes, base, head) ? head.complete(end) : RequestParser.REJECTED;
  }

  /** Returns the offset of the first field, or -1 if the request line was not taken. */
  private int takeRequestLine(
      MemorySegment bytes, long base, long to, long lastStride, RequestHead head) {
    if (to - base < SHORTEST || base > lastStride) {
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
    head.queryStart = RequestHead.NONE;
    long at = base;
    long inTarget = -1L << start;
    long end;
    while (true) {
      long special = scanner.specialInTarget(bytes, at) & inTarget;
      end = at + Long.numberOfTrailingZeros(special);
      if (special != 0 && Memory.byteAt(bytes, end) == '?' && head.queryStart == RequestHead.NONE) {
        head.queryStart = (int) (end + 1 - base);
        special &= special - 1;
        end = at + Long.numberOfTrailingZeros(special);
      }
      if (isVersion(bytes, end, to)) {
        break;
      }
      special = wrongInTarget(bytes, base, at, to, special, head);
      if (special != 0) {
        end = at + Long.numberOfTrailingZeros(special);
        if (!isVersion(bytes, end, to)) {
          return -1;
        }
        break;
      }
      at += STRIDE;
      if (at > lastStride || at >= to) {
        return -1;
      }
      inTarget = -1;
    }
    int fields = (int) (end - base) + VERSION_AND_LINE_END;
    long last = Memory.longAt(bytes, base + fields - Long.BYTES);
    if ((last != LAST_OF_1_1 && last != LAST_OF_1_0) || fields - 2 > limits.requestLineBytesMax()) {
      return -1;
    }
    head.setRequestLine(method, start, (int) (end - base), last == LAST_OF_1_1 ? 1 : 0);
    return fields;
  }

  /** Returns true if the version after a target is present and starts correctly. */
  private static boolean isVersion(MemorySegment bytes, long at, long to) {
    return at + VERSION_AND_LINE_END <= to && Memory.longAt(bytes, at) == VERSION;
  }

  /**
   * Returns the special bytes of a stride from the first one on that is illegal in a target; sets
   * the start of the query.
   */
  private long wrongInTarget(
      MemorySegment bytes, long base, long at, long to, long special, RequestHead head) {
    long left = special;
    for (; left != 0; left &= left - 1) {
      long next = at + Long.numberOfTrailingZeros(left);
      byte value = Memory.byteAt(bytes, next);
      if (value == '?') {
        if (head.queryStart == RequestHead.NONE) {
          head.queryStart = (int) (next + 1 - base);
        }
      } else if (value == '%'
          ? !acceptsBarePercent && !PercentEncoding.isAt(bytes, next, to)
          : !CharClass.TARGET.contains(value)) {
        break;
      }
    }
    return left;
  }

  /**
   * Takes the value of a Host that is the first field, as it nearly always is, if it is plain.
   *
   * @param field the first field's offset
   */
  private boolean takeHost(
      MemorySegment bytes, long base, int field, long to, long lastStride, RequestHead head) {
    long start = base + field + HOST_LENGTH;
    if (start > lastStride
        || ((Memory.longAt(bytes, base + field) | CASE_BITS) & HOST_BYTES) != HOST) {
      return false;
    }
    int length = Long.numberOfTrailingZeros(~scanner.hostsMostly(bytes, start));
    long end = start + length;
    if (length == 0 || end + 1 + Long.BYTES > to) {
      return false;
    }
    int next = Memory.shortAt(bytes, end);
    if ((byte) next == Ascii.COLON) {
      end = Authority.portEnd(bytes, end + 1);
      next = Memory.shortAt(bytes, end);
    }
    if (next != Ascii.CRLF) {
      return false;
    }
    head.hostStart = field + HOST_LENGTH;
    head.hostEnd = (int) (end - base);
    return true;
  }
}
