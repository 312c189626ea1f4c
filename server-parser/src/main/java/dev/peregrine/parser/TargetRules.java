package dev.peregrine.parser;

import dev.peregrine.parser.grammar.Ascii;
import dev.peregrine.parser.grammar.CharClass;
import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * What a complete request target must be (RFC 9112 section 3.2): one of four forms, the one that
 * its method has; a valid authority without user information; percent signs with two digits. Sets
 * the head's path, query and, if the target names it, host. Immutable.
 */
final class TargetRules {
  private static final long HTTP = Memory.word("http://");
  private static final int HTTP_LENGTH = "http://".length();
  private static final long HTTPS = Memory.word("https://");
  private static final int HTTPS_LENGTH = "https://".length();

  private final boolean acceptsRawCharacters;
  private final boolean acceptsBarePercent;

  TargetRules(Set<Leniency> leniencies) {
    acceptsRawCharacters = leniencies.contains(Leniency.RAW_TARGET_CHARACTERS);
    acceptsBarePercent = leniencies.contains(Leniency.BARE_PERCENT);
  }

  /** False if the head was refused. The target's bytes were scanned and are legal somewhere. */
  boolean check(MemorySegment bytes, int base, RequestHead head) {
    int start = head.targetStart;
    int end = head.targetEnd;
    head.hostStart = RequestHead.NONE;
    head.hostEnd = RequestHead.NONE;
    head.queryStart = RequestHead.NONE;
    head.pathStart = end;
    head.pathEnd = end;
    if (head.method == HttpMethod.CONNECT) {
      return checkAuthorityForm(bytes, base, head);
    }
    byte first = Memory.byteAt(bytes, base + start);
    if (first == '/') {
      head.targetForm = TargetForm.ORIGIN;
      return checkPath(bytes, base, start, head);
    }
    if (first == '*' && end == start + 1 && head.method == HttpMethod.OPTIONS) {
      head.targetForm = TargetForm.ASTERISK;
      return true;
    }
    int authority = authorityStart(bytes, base + start, base + end) - base;
    if (authority < start) {
      return head.reject(Rejection.TARGET_FORM_INVALID, start);
    }
    head.targetForm = TargetForm.ABSOLUTE;
    return checkAbsoluteForm(bytes, base, authority, head);
  }

  private static boolean checkAuthorityForm(MemorySegment bytes, int base, RequestHead head) {
    int start = head.targetStart;
    int end = head.targetEnd;
    head.targetForm = TargetForm.AUTHORITY;
    int host = Authority.hostEnd(bytes, base + start, base + end) - base;
    boolean valid =
        host > start
            && host + 1 < end
            && Authority.isPort(bytes, base + host, base + end)
            && hasEncodedPercents(bytes, base, start, end) == end;
    head.hostStart = start;
    head.hostEnd = end;
    return valid || head.reject(Rejection.TARGET_FORM_INVALID, start);
  }

  private boolean checkAbsoluteForm(
      MemorySegment bytes, int base, int authority, RequestHead head) {
    int end = authority;
    while (end < head.targetEnd && !endsAuthority(Memory.byteAt(bytes, base + end))) {
      if (Memory.byteAt(bytes, base + end) == '@') {
        return head.reject(Rejection.TARGET_USERINFO, end);
      }
      end++;
    }
    int host = Authority.hostEnd(bytes, base + authority, base + end) - base;
    if (host <= authority || !Authority.isPort(bytes, base + host, base + end)) {
      return head.reject(Rejection.TARGET_AUTHORITY_INVALID, authority);
    }
    head.hostStart = authority;
    head.hostEnd = end;
    return checkPath(bytes, base, end, head);
  }

  private static boolean endsAuthority(byte value) {
    return value == '/' || value == '?';
  }

  /** Splits path and query, and checks what the scan of the target could not. */
  private boolean checkPath(MemorySegment bytes, int base, int start, RequestHead head) {
    int end = head.targetEnd;
    int query = start;
    while (query < end && Memory.byteAt(bytes, base + query) != '?') {
      query++;
    }
    head.pathStart = start;
    head.pathEnd = query;
    head.queryStart = query == end ? RequestHead.NONE : query + 1;
    if (!acceptsRawCharacters) {
      for (int at = start; at < end; at++) {
        if (!CharClass.TARGET.contains(Memory.byteAt(bytes, base + at))) {
          return head.reject(Rejection.TARGET_CHARACTER_INVALID, at);
        }
      }
    }
    if (!acceptsBarePercent) {
      int bare = hasEncodedPercents(bytes, base, head.targetStart, end);
      return bare == end || head.reject(Rejection.TARGET_ENCODING_INVALID, bare);
    }
    return true;
  }

  /** The offset of the first percent sign without two hexadecimal digits, or {@code end}. */
  private static int hasEncodedPercents(MemorySegment bytes, int base, int start, int end) {
    for (int at = start; at < end; at++) {
      if (Memory.byteAt(bytes, base + at) == '%'
          && (at + 2 >= end
              || !CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, base + at + 1))
              || !CharClass.HEX_DIGITS.contains(Memory.byteAt(bytes, base + at + 2)))) {
        return at;
      }
    }
    return end;
  }

  /** Behind "http://" or "https://" in any case, or -1. */
  private static int authorityStart(MemorySegment bytes, int start, int end) {
    long word = 0;
    for (int i = Math.min(end, start + HTTPS_LENGTH) - 1; i >= start; i--) {
      word = word << Byte.SIZE | lowerCase(Memory.byteAt(bytes, i));
    }
    if (word == HTTPS) {
      return start + HTTPS_LENGTH;
    }
    return (word & -1L >>> Byte.SIZE) == HTTP ? start + HTTP_LENGTH : -1;
  }

  private static int lowerCase(byte value) {
    return value >= 'A' && value <= 'Z' ? value | Ascii.CASE_BIT : value;
  }
}
