package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.field.StrideScanner;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.ScalarScanner;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.vector.VectorSupport;
import dev.peregrine.protocol.Leniency;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses request heads in place (RFC 9112 sections 2 to 6, RFC 9110 sections 5 to 7), strictly and
 * without allocation. Immutable and thread-safe: all state between two calls is in the {@link
 * RequestHead}.
 *
 * <p>
 *
 * {@snippet :
 * var parser = new RequestParser(ParserLimits.DEFAULT);
 * var head = new RequestHead();
 * int length = parser.parse(bytes, from, to, head);
 * if (length > 0) {
 *   long path = from + head.pathStart();
 * } else if (length == RequestParser.REJECTED) {
 *   int status = head.rejection().status();
 * }
 * }
 */
public final class RequestParser {
  /** The head is incomplete and acceptable so far. */
  public static final int NEED_MORE = 0;

  /** The head was rejected; {@link RequestHead#rejection} has the reason. */
  public static final int REJECTED = -1;

  private final ScannerKind kind;
  private final Scanner scanner;
  private final @Nullable FastHead fastHead;
  private final RequestLine requestLine;

  /** Creates a strict parser with the fastest scanner that this VM runs well. */
  public RequestParser(ParserLimits limits) {
    this(limits, ScannerKind.best());
  }

  /**
   * Creates a strict parser with the given scanner.
   *
   * @throws IllegalArgumentException if the VM does not have it; the message names what to change
   */
  public RequestParser(ParserLimits limits, ScannerKind kind) {
    this(limits, kind, Set.of());
  }

  /**
   * Creates a parser that accepts the given violations.
   *
   * @throws IllegalArgumentException if the VM does not have the scanner
   */
  public RequestParser(ParserLimits limits, ScannerKind kind, Set<Leniency> leniencies) {
    this(limits, kind, scanner(kind), leniencies);
  }

  RequestParser(ParserLimits limits, ScannerKind kind, Scanner scanner, Set<Leniency> leniencies) {
    this.kind = kind;
    this.scanner = scanner;
    fastHead =
        scanner instanceof StrideScanner strides ? new FastHead(strides, limits, leniencies) : null;
    requestLine = new RequestLine(scanner, limits, leniencies);
  }

  /** Returns the scanner in use. */
  public ScannerKind scanner() {
    return kind;
  }

  /**
   * Parses the head in {@code [from, to)}, or continues a head that {@code head} has begun. To
   * continue, pass the same bytes again, followed by more; they may have moved. The result does not
   * depend on how the bytes were cut. Bytes of the segment after {@code to} may be loaded, but
   * don't change the result.
   *
   * @param head begun anew unless it {@link RequestHead#isPartial}
   * @return the head's length in bytes from {@code from}, leading empty lines and the final CRLF
   *     included; or {@link #NEED_MORE} or {@link #REJECTED}
   * @throws IndexOutOfBoundsException if the range is not in the segment
   * @throws IllegalStateException if the segment's memory was freed; another thread must not free
   *     it during a parse
   * @throws WrongThreadException if the segment belongs to another thread
   */
  public int parse(MemorySegment bytes, int from, int to, RequestHead head) {
    if (from < 0 || from > to || to > bytes.byteSize()) {
      // throws; not called otherwise, because C2 doesn't inline it everywhere
      Objects.checkFromToIndex(from, to, bytes.byteSize());
    }
    if (from < to) {
      bytes.get(ValueLayout.JAVA_BYTE, from); // checked, because the later loads may not be
    }
    boolean linesTaken = false;
    if (!head.isPartial()) {
      head.begin();
      int length = parseFast(bytes, from, to, head);
      if (length != 0) {
        return length;
      }
      linesTaken = fastHead != null && head.state == RequestHead.FIELDS;
    }
    if (fastHead != null || !Memory.isInAll(bytes)) {
      return parseInSteps(bytes, from, to, head, linesTaken);
    }
    long start = bytes.address(); // only this scanner loads bytes after the range
    try {
      return parseInSteps(Memory.ALL, start + from, start + to, head, linesTaken);
    } finally {
      Reference.reachabilityFence(bytes);
    }
  }

  private int parseInSteps(
      MemorySegment bytes, long base, long to, RequestHead head, boolean linesTaken) {
    if (head.state != RequestHead.FIELDS && !requestLine.advance(bytes, base, to, head)) {
      return head.rejection == null ? NEED_MORE : REJECTED;
    }
    int end = head.fields.advance(scanner, bytes, base, to, linesTaken);
    if (end <= 0) {
      return onIncomplete(end, head);
    }
    head.framing.find(bytes, base, head.lines());
    return HeadRules.check(bytes, base, head) ? head.complete(end) : REJECTED;
  }

  /** Returns the head's length, REJECTED, or 0 if the head must be parsed in the general way. */
  private int parseFast(MemorySegment segment, int from, int end, RequestHead head) {
    if (!Memory.isInAll(segment)) {
      return fastHead == null
          ? NEED_MORE
          : fastHead.parse(segment, from, end, segment.byteSize(), head);
    }
    try {
      long base = Memory.address(segment, from);
      long to = base + (end - from);
      long segmentEnd = base - from + segment.byteSize();
      if (fastHead != null) {
        return fastHead.parse(Memory.ALL, base, to, segmentEnd, head);
      }
      return kind == ScannerKind.SWAR
          ? parseWords(Memory.ALL, base, to, segmentEnd, head)
          : NEED_MORE;
    } finally {
      Reference.reachabilityFence(segment);
    }
  }

  /** Like {@link FastHead#parse}, by words; a line that wasn't taken may be whole and valid. */
  private int parseWords(
      MemorySegment bytes, long base, long to, long segmentEnd, RequestHead head) {
    if (!requestLine.takeWhole(bytes, base, to, head)) {
      return NEED_MORE;
    }
    int end = head.fields.takeByWords(base, to, segmentEnd);
    if (end == FieldSection.NEED_MORE) {
      return NEED_MORE;
    }
    return FastFraming.read(bytes, base, base + end, segmentEnd, RequestHead.NONE, head)
        ? head.complete(end)
        : FastHead.check(bytes, base, end, head);
  }

  private static int onIncomplete(int outcome, RequestHead head) {
    if (outcome == FieldSection.NEED_MORE) {
      return NEED_MORE;
    }
    head.reject(Objects.requireNonNull(head.fields.fault()), head.fields.at());
    return REJECTED;
  }

  private static Scanner scanner(ScannerKind kind) {
    // Not a switch, for which a start would load one more class.
    if (kind == ScannerKind.VECTOR) {
      return VectorSupport.scanner();
    }
    return kind == ScannerKind.SWAR ? new SwarScanner() : new ScalarScanner();
  }
}
