package dev.peregrine.parser;

import static dev.peregrine.protocol.grammar.Ascii.CR;
import static dev.peregrine.protocol.grammar.Ascii.LF;
import static dev.peregrine.protocol.grammar.Ascii.SP;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Empty lines and the request line in any pieces (RFC 9112 sections 2.2 and 3). Every byte is
 * examined once, for every division into pieces. Immutable; the state between pieces is in the
 * head.
 *
 * <pre>
 *  EMPTY_LINES ── tchar ──▶ METHOD ── SP ──▶ TARGET ── SP ──▶ VERSION ── CRLF ──▶ FIELDS
 *    │      ▲
 *    CR     LF
 *    ▼      │
 *  EMPTY_LINE_FEED
 * </pre>
 */
final class RequestLine {
  /** The form of a version and of the line's end; {@code 0} means any digit. */
  private static final String VERSION_FORM = "HTTP/0.0\r\n";

  private static final int VERSION_LENGTH = VERSION_FORM.indexOf('\r');
  private static final int MAJOR_DIGIT = VERSION_FORM.indexOf('0');
  private static final int MINOR_DIGIT = VERSION_FORM.lastIndexOf('0');

  private final Scanner scanner;
  private final ParserLimits limits;
  private final TargetRules targetRules;
  private final FastRequestLine wholeLine;

  RequestLine(Scanner scanner, ParserLimits limits, Set<Leniency> leniencies) {
    this.scanner = scanner;
    this.limits = limits;
    targetRules = new TargetRules(scanner, leniencies);
    wholeLine = new FastRequestLine(scanner, targetRules, limits);
  }

  /** Continues to the end of the bytes. Returns true once the head's state is FIELDS. */
  boolean advance(MemorySegment bytes, long base, long to, RequestHead head) {
    if (head.at == 0 && takeWhole(bytes, base, to, head)) {
      return true;
    }
    int end = (int) (to - base);
    boolean goesOn = true;
    while (goesOn && head.at < end) {
      goesOn =
          switch (head.state) {
            case RequestHead.EMPTY_LINES -> onEmptyLines(bytes, base, head);
            case RequestHead.EMPTY_LINE_FEED -> onEmptyLineFeed(bytes, base, head);
            case RequestHead.METHOD -> onMethod(bytes, base, end, head);
            case RequestHead.TARGET -> onTarget(bytes, base, end, head);
            case RequestHead.VERSION -> onVersion(bytes, base, head);
            default -> false;
          };
    }
    return head.state == RequestHead.FIELDS;
  }

  /** Takes the usual request line if it is complete and at the head's start. */
  boolean takeWhole(MemorySegment bytes, long base, long to, RequestHead head) {
    boolean taken = wholeLine.take(bytes, base, to, head);
    if (taken) {
      beginFields(head);
    }
    return taken;
  }

  private boolean onEmptyLines(MemorySegment bytes, long base, RequestHead head) {
    byte first = Memory.byteAt(bytes, base + head.at);
    if (first == LF) {
      return head.reject(Rejection.BARE_LINE_FEED, head.at);
    }
    if (first != CR) {
      head.methodStart = head.at;
      head.state = RequestHead.METHOD;
      return true;
    }
    if (head.emptyLines == limits.emptyLinesMax()) {
      return head.reject(Rejection.TOO_MANY_EMPTY_LINES, head.at);
    }
    head.emptyLines++;
    head.at++;
    head.state = RequestHead.EMPTY_LINE_FEED;
    return true;
  }

  private static boolean onEmptyLineFeed(MemorySegment bytes, long base, RequestHead head) {
    if (Memory.byteAt(bytes, base + head.at) != LF) {
      return head.reject(Rejection.BARE_CARRIAGE_RETURN, head.at);
    }
    head.at++;
    head.state = RequestHead.EMPTY_LINES;
    return true;
  }

  private boolean onMethod(MemorySegment bytes, long base, int end, RequestHead head) {
    int lineEnd = head.methodStart + limits.requestLineBytesMax();
    int limit = Math.min(end, lineEnd);
    int at = (int) (scanner.tokenEnd(bytes, base + head.at, base + limit) - base);
    head.at = at;
    if (at == limit) {
      return at == end || head.reject(Rejection.METHOD_TOO_LONG, at);
    }
    byte next = Memory.byteAt(bytes, base + at);
    if (next == CR || next == LF || (next == SP && at == head.methodStart)) {
      return head.reject(Rejection.REQUEST_LINE_MALFORMED, at);
    }
    if (next != SP) {
      return head.reject(Rejection.METHOD_INVALID, at);
    }
    head.methodCode = Methods.find(bytes, base + head.methodStart, base + at);
    head.methodEnd = at;
    head.targetStart = at + 1;
    head.at = at + 1;
    head.state = RequestHead.TARGET;
    return true;
  }

  private boolean onTarget(MemorySegment bytes, long base, int end, RequestHead head) {
    int limit = Math.min(end, head.methodStart + limits.requestLineBytesMax());
    int at = (int) (scanner.targetEnd(bytes, base + head.at, base + limit) - base);
    head.at = at;
    if (at == limit) {
      return at == end || head.reject(Rejection.REQUEST_LINE_TOO_LONG, at);
    }
    byte next = Memory.byteAt(bytes, base + at);
    if (next == CR || next == LF || (next == SP && at == head.targetStart)) {
      return head.reject(Rejection.REQUEST_LINE_MALFORMED, at);
    }
    if (next == SP) {
      head.targetEnd = at;
      head.at = at + 1;
      head.state = RequestHead.VERSION;
      return true;
    }
    if (canStandInTarget(next, bytes, base, head)) {
      head.at = at + 1;
      return true;
    }
    return head.reject(Rejection.TARGET_CHARACTER_INVALID, at);
  }

  /**
   * Returns true if a byte that is illegal in a path or query is legal here, as the brackets of an
   * IP-literal are.
   */
  private boolean canStandInTarget(byte value, MemorySegment bytes, long base, RequestHead head) {
    if (targetRules.isAcceptedRaw(value)) {
      return true;
    }
    boolean bracket = value == '[' || value == ']';
    return bracket && Memory.byteAt(bytes, base + head.targetStart) != '/';
  }

  private boolean onVersion(MemorySegment bytes, long base, RequestHead head) {
    int start = head.targetEnd + 1;
    int place = head.at - start;
    if (place < VERSION_LENGTH && head.at >= head.methodStart + limits.requestLineBytesMax()) {
      return head.reject(Rejection.REQUEST_LINE_TOO_LONG, head.at);
    }
    Rejection wrong = wrongInVersion(Memory.byteAt(bytes, base + head.at), place);
    if (wrong != null) {
      return head.reject(wrong, head.at);
    }
    head.at++;
    return place + 1 < VERSION_FORM.length() || onLineComplete(bytes, base, start, head);
  }

  private static @Nullable Rejection wrongInVersion(byte value, int place) {
    char form = VERSION_FORM.charAt(place);
    if (form == '0' ? Ascii.isDigit(value) : form == value) {
      return null;
    }
    if (value == LF) {
      return Rejection.BARE_LINE_FEED;
    }
    return form == LF ? Rejection.BARE_CARRIAGE_RETURN : Rejection.VERSION_MALFORMED;
  }

  private boolean onLineComplete(
      MemorySegment bytes, long base, int versionStart, RequestHead head) {
    if (Memory.byteAt(bytes, base + versionStart + MAJOR_DIGIT) != '1') {
      return head.reject(Rejection.VERSION_NOT_SUPPORTED, versionStart);
    }
    head.versionCode = Memory.byteAt(bytes, base + versionStart + MINOR_DIGIT) == '0' ? 0 : 1;
    if (!targetRules.check(bytes, base, head)) {
      return false;
    }
    beginFields(head);
    return false;
  }

  private void beginFields(RequestHead head) {
    head.fields.begin(head.at, limits.headerBytesMax(), limits.fieldsMax());
    head.state = RequestHead.FIELDS;
  }
}
