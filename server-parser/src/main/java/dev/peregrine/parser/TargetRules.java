package dev.peregrine.parser;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.value.Authority;
import dev.peregrine.parser.value.PercentEncoding;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;

/**
 * The rules of a complete request target (RFC 9112 section 3.2): the form that its method permits,
 * of four; a valid authority without user information; percent signs with two digits. Sets the
 * head's path, query and, if the target names it, host. Immutable.
 */
final class TargetRules {
  /** The length of the text between a scheme and an authority. */
  static final int SCHEME_END_LENGTH = "://".length();

  private static final byte QUESTION_MARK = '?';
  private static final byte PERCENT = '%';
  static final int CONNECT = Methods.find(Memory.word("CONNECT "));
  private static final int OPTIONS = Methods.find(Memory.word("OPTIONS "));

  private static final List<TargetForm> FORMS = List.of(TargetForm.values());
  static final int ORIGIN = FORMS.indexOf(TargetForm.ORIGIN);
  static final int ABSOLUTE = FORMS.indexOf(TargetForm.ABSOLUTE);
  private static final int AUTHORITY = FORMS.indexOf(TargetForm.AUTHORITY);
  private static final int ASTERISK = FORMS.indexOf(TargetForm.ASTERISK);

  private final boolean acceptsRawCharacters;
  private final boolean acceptsBarePercent;

  private final Scanner scanner;

  TargetRules(Scanner scanner, Set<Leniency> leniencies) {
    this.scanner = scanner;
    acceptsRawCharacters = leniencies.contains(Leniency.RAW_TARGET_CHARACTERS);
    acceptsBarePercent = leniencies.contains(Leniency.BARE_PERCENT);
  }

  /**
   * Sets the parts of a target between two offsets, whose bytes a scan has found legal and whose
   * first byte is a slash. Returns false, without a rejection, if a percent sign is malformed.
   *
   * @param special the offset of the first question mark or percent sign, or an earlier one
   */
  boolean checkOriginForm(
      MemorySegment bytes, long base, int start, int special, int end, RequestHead head) {
    int query = (int) (scanner.indexOf(QUESTION_MARK, bytes, base + special, base + end) - base);
    if (!acceptsBarePercent && barePercent(bytes, base, special, end) != end) {
      return false;
    }
    head.setPath(start, end);
    if (query != end) {
      head.setQuery(query);
    }
    return true;
  }

  /**
   * Checks a target whose bytes are each legal in some form. Returns false if the head was
   * rejected.
   */
  boolean check(MemorySegment bytes, long base, RequestHead head) {
    int start = head.targetStart;
    int end = head.targetEnd;
    head.hostStart = RequestHead.NONE;
    head.hostEnd = RequestHead.NONE;
    head.queryStart = RequestHead.NONE;
    head.pathStart = end;
    head.pathEnd = end;
    if (head.methodCode == CONNECT) {
      return checkAuthorityForm(bytes, base, head);
    }
    if (Memory.byteAt(bytes, base + start) == '/') {
      head.targetFormCode = ORIGIN;
      return checkPath(bytes, base, start, head);
    }
    if (isAsterisk(bytes, base, head)) {
      head.targetFormCode = ASTERISK;
      return true;
    }
    long authority = authorityStart(bytes, base + start, base + end);
    if (authority < 0) {
      return head.reject(Rejection.TARGET_FORM_INVALID, start);
    }
    head.targetFormCode = ABSOLUTE;
    return checkAbsoluteForm(bytes, base, (int) (authority - base), head);
  }

  /**
   * Checks a target that must be a path or, for OPTIONS, an asterisk, and whose bytes no scan has
   * checked. Returns false if the head was rejected.
   */
  boolean checkPathAlone(MemorySegment bytes, long base, RequestHead head) {
    int start = head.targetStart;
    int end = head.targetEnd;
    if (start < end && Memory.byteAt(bytes, base + start) == '/') {
      head.targetFormCode = ORIGIN;
      return checkPath(bytes, base, start, head);
    }
    head.targetFormCode = ASTERISK;
    head.queryStart = RequestHead.NONE;
    head.pathStart = end;
    head.pathEnd = end;
    return isAsterisk(bytes, base, head) || head.reject(Rejection.TARGET_FORM_INVALID, start);
  }

  private static boolean isAsterisk(MemorySegment bytes, long base, RequestHead head) {
    return head.targetEnd == head.targetStart + 1
        && Memory.byteAt(bytes, base + head.targetStart) == '*'
        && head.methodCode == OPTIONS;
  }

  /** Checks a target in the form {@code host:port}, which is also the head's host. */
  static boolean checkAuthorityForm(MemorySegment bytes, long base, RequestHead head) {
    int start = head.targetStart;
    int end = head.targetEnd;
    head.targetFormCode = AUTHORITY;
    long host = Authority.hostEnd(bytes, base + start, base + end);
    boolean valid =
        host > base + start && host + 1 < base + end && Authority.isPort(bytes, host, base + end);
    head.hostStart = start;
    head.hostEnd = end;
    return valid || head.reject(Rejection.TARGET_FORM_INVALID, start);
  }

  private boolean checkAbsoluteForm(
      MemorySegment bytes, long base, int authority, RequestHead head) {
    int end = authority;
    while (end < head.targetEnd && !endsAuthority(Memory.byteAt(bytes, base + end))) {
      end++;
    }
    head.hostStart = authority;
    head.hostEnd = end;
    return checkAuthority(bytes, base, head) && checkPath(bytes, base, end, head);
  }

  /** Checks the authority of an absolute URI, which is the head's host. */
  static boolean checkAuthority(MemorySegment bytes, long base, RequestHead head) {
    long start = base + head.hostStart;
    long end = base + head.hostEnd;
    for (long at = start; at < end; at++) {
      if (Memory.byteAt(bytes, at) == '@') {
        return head.reject(Rejection.TARGET_USERINFO, (int) (at - base));
      }
    }
    long host = Authority.hostEnd(bytes, start, end);
    return (host > start && Authority.isPort(bytes, host, end))
        || head.reject(Rejection.TARGET_AUTHORITY_INVALID, head.hostStart);
  }

  private static boolean endsAuthority(byte value) {
    return value == '/' || value == '?';
  }

  /** Splits path and query, and makes the checks that the scan of the target could not. */
  private boolean checkPath(MemorySegment bytes, long base, int start, RequestHead head) {
    int end = head.targetEnd;
    int query = (int) (scanner.indexOf(QUESTION_MARK, bytes, base + start, base + end) - base);
    head.pathStart = start;
    head.pathEnd = query;
    head.queryStart = query == end ? RequestHead.NONE : query + 1;
    int illegal = illegal(bytes, base, start, end);
    if (illegal != end) {
      return head.reject(Rejection.TARGET_CHARACTER_INVALID, illegal);
    }
    int bare = acceptsBarePercent ? end : barePercent(bytes, base, head.targetStart, end);
    return bare == end || head.reject(Rejection.TARGET_ENCODING_INVALID, bare);
  }

  /** Returns the offset of the first byte that is illegal in a path and query, or {@code end}. */
  private int illegal(MemorySegment bytes, long base, int start, int end) {
    long to = base + end;
    long at = scanner.targetEnd(bytes, base + start, to);
    while (at < to && isAcceptedRaw(Memory.byteAt(bytes, at))) {
      at = scanner.targetEnd(bytes, at + 1, to);
    }
    return (int) (at - base);
  }

  /** Returns true for a byte that is illegal in a target and accepted nevertheless. */
  boolean isAcceptedRaw(byte value) {
    return acceptsRawCharacters && value > Ascii.SP && value < 0x7F && value != '#';
  }

  /**
   * Returns the offset of the first percent sign without two hexadecimal digits, or {@code end}.
   */
  private int barePercent(MemorySegment bytes, long base, int start, int end) {
    int at = (int) (scanner.indexOf(PERCENT, bytes, base + start, base + end) - base);
    while (at < end) {
      if (Memory.byteAt(bytes, base + at) == PERCENT) {
        if (!PercentEncoding.isAt(bytes, base + at, base + end)) {
          return at;
        }
        at += 2;
      }
      at++;
    }
    return end;
  }

  /** Returns the offset after a scheme in any case (RFC 3986 section 3.1) and "://", or -1. */
  private static long authorityStart(MemorySegment bytes, long start, long end) {
    long at = start;
    while (at < end && CharClass.SCHEME.contains(Memory.byteAt(bytes, at))) {
      at++;
    }
    boolean delimited =
        at > start
            && at + SCHEME_END_LENGTH <= end
            && Memory.byteAt(bytes, at) == Ascii.COLON
            && Memory.byteAt(bytes, at + 1) == '/'
            && Memory.byteAt(bytes, at + 2) == '/';
    return delimited && !isDigitOrMark(Memory.byteAt(bytes, start)) ? at + SCHEME_END_LENGTH : -1;
  }

  /** Returns true for the characters of a scheme that can't be its first. */
  private static boolean isDigitOrMark(byte value) {
    return value < 'A';
  }
}
