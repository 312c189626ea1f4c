package dev.peregrine.parser;

import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.Scanners;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * Parses request heads in place (RFC 9112 sections 2 to 6, RFC 9110 sections 5 to 7), strictly and
 * without allocation. Immutable and thread-safe: what is remembered between two calls is in the
 * {@link RequestHead} alone.
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

  /** The head was refused; {@link RequestHead#rejection} says why. */
  public static final int REJECTED = -1;

  private final ScannerKind kind;
  private final Scanner scanner;
  private final RequestLine requestLine;

  /** A strict parser with the fastest scanner that this VM runs well. */
  public RequestParser(ParserLimits limits) {
    this(limits, ScannerKind.best());
  }

  /**
   * A strict parser with the scanner asked for.
   *
   * @throws IllegalArgumentException if the VM does not have it; the message says what to change
   */
  public RequestParser(ParserLimits limits, ScannerKind kind) {
    this(limits, kind, Set.of());
  }

  /**
   * A parser that accepts the violations named.
   *
   * @throws IllegalArgumentException if the VM does not have the scanner asked for
   */
  public RequestParser(ParserLimits limits, ScannerKind kind, Set<Leniency> leniencies) {
    this(limits, kind, scanner(kind), leniencies);
  }

  RequestParser(ParserLimits limits, ScannerKind kind, Scanner scanner, Set<Leniency> leniencies) {
    this.kind = kind;
    this.scanner = scanner;
    requestLine = new RequestLine(scanner, limits, leniencies);
  }

  /** The scanner in use. */
  public ScannerKind scanner() {
    return kind;
  }

  /**
   * Parses the head in {@code [from, to)}, or goes on with the one that {@code head} has begun. To
   * go on, the same bytes must be presented again, followed by more; they may have moved. The
   * answer does not depend on how the bytes were cut. Bytes of the segment behind {@code to} are
   * not looked at for meaning but may be loaded.
   *
   * @param head begun anew unless it {@link RequestHead#isPartial}
   * @return the head's length in bytes from {@code from}, leading empty lines and the final CRLF
   *     included; or {@link #NEED_MORE} or {@link #REJECTED}
   * @throws IndexOutOfBoundsException if the range is not in the segment
   */
  public int parse(MemorySegment bytes, int from, int to, RequestHead head) {
    Objects.checkFromToIndex(from, to, bytes.byteSize());
    if (!head.isPartial()) {
      head.begin();
    }
    if (head.state != RequestHead.FIELDS && !requestLine.advance(bytes, from, to, head)) {
      return head.rejection == null ? NEED_MORE : REJECTED;
    }
    int end = head.fields.advance(scanner, bytes, from, to);
    return end > 0 ? onComplete(bytes, from, end, head) : onIncomplete(end, head);
  }

  private static int onComplete(MemorySegment bytes, int from, int end, RequestHead head) {
    if (!HeadRules.check(bytes, from, head)) {
      return REJECTED;
    }
    head.length = end;
    head.state = RequestHead.COMPLETE;
    return end;
  }

  private static int onIncomplete(int outcome, RequestHead head) {
    if (outcome == FieldSection.NEED_MORE) {
      return NEED_MORE;
    }
    head.reject(Rejection.ofField(Objects.requireNonNull(head.fields.fault())), head.fields.at());
    return REJECTED;
  }

  private static Scanner scanner(ScannerKind kind) {
    return switch (kind) {
      case VECTOR -> Scanners.vector();
      case SWAR -> Scanners.swar();
      case SCALAR -> Scanners.scalar();
    };
  }
}
