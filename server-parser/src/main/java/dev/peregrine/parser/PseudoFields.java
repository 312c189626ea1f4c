package dev.peregrine.parser;

import static dev.peregrine.parser.RequestHead.NONE;

import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.parser.value.Authority;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.CharClass;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * The pseudo-header fields of a request, which HTTP/2 has for a request line (RFC 9113 sections
 * 8.3.1 and 8.5, RFC 8441 section 4). Immutable.
 */
final class PseudoFields {
  private static final int METHOD = bit(RequestNames.METHOD);
  private static final int SCHEME = bit(RequestNames.SCHEME);
  private static final int PATH = bit(RequestNames.PATH);
  private static final int AUTHORITY = bit(RequestNames.AUTHORITY);
  private static final int PROTOCOL = bit(RequestNames.PROTOCOL);

  /** The bytes of a request line of HTTP/1 besides method and target. */
  private static final int LINE_OVERHEAD = "  HTTP/1.1".length();

  private static final long SPACE = ' ';
  private static final long HTTP = Memory.word("http");
  private static final int HTTP_LENGTH = "http".length();
  private static final long HTTP_BYTES = -1L >>> (Long.SIZE - HTTP_LENGTH * Byte.SIZE);

  /** A scanner without warm-up. Targets are too short for a faster one to pay off. */
  private static final Scanner SCANNER = new SwarScanner();

  private final int lineBytesMax;
  private final TargetRules targetRules;
  private final boolean acceptsExtendedConnect;

  PseudoFields(ParserLimits limits, Set<Leniency> leniencies, boolean acceptsExtendedConnect) {
    lineBytesMax = limits.requestLineBytesMax();
    targetRules = new TargetRules(SCANNER, leniencies);
    this.acceptsExtendedConnect = acceptsExtendedConnect;
  }

  private static int bit(int id) {
    return 1 << (id - RequestNames.PSEUDO);
  }

  /**
   * Reads the pseudo-header fields. Returns the index of the first other field, or -1 if the head
   * was rejected.
   */
  int read(DecodedSection fields, RequestHead head) {
    head.hostStart = NONE;
    head.hostEnd = NONE;
    head.schemeStart = NONE;
    head.schemeEnd = NONE;
    head.protocolStart = NONE;
    head.protocolEnd = NONE;
    int seen = 0;
    int i = 0;
    for (; i < fields.count() && fields.nameId(i) >= RequestNames.PSEUDO; i++) {
      int id = fields.nameId(i);
      if (id == RequestNames.OTHER_PSEUDO) {
        head.reject(Rejection.PSEUDO_FIELD_UNKNOWN, fields.nameStart(i));
        return NONE;
      }
      if ((seen & bit(id)) != 0) {
        head.reject(Rejection.PSEUDO_FIELD_REPEATED, fields.nameStart(i));
        return NONE;
      }
      seen |= bit(id);
      place(id, fields.valueStart(i), fields.valueEnd(i), head);
    }
    return check(fields, seen, head) ? i : NONE;
  }

  private static void place(int id, int start, int end, RequestHead head) {
    switch (id) {
      case RequestNames.METHOD -> {
        head.methodStart = start;
        head.methodEnd = end;
      }
      case RequestNames.SCHEME -> {
        head.schemeStart = start;
        head.schemeEnd = end;
      }
      case RequestNames.PATH -> {
        head.targetStart = start;
        head.targetEnd = end;
      }
      case RequestNames.AUTHORITY -> {
        head.hostStart = start;
        head.hostEnd = end;
      }
      default -> {
        head.protocolStart = start;
        head.protocolEnd = end;
      }
    }
  }

  private boolean check(DecodedSection fields, int seen, RequestHead head) {
    if ((seen & METHOD) == 0) {
      return head.reject(Rejection.PSEUDO_FIELD_MISSING, 0);
    }
    byte[] text = fields.text();
    MemorySegment bytes = fields.segment();
    head.methodCode = methodCode(text, head.methodStart, head.methodEnd);
    boolean isConnect = head.methodCode == TargetRules.CONNECT;
    if (isConnect && (seen & PROTOCOL) == 0) {
      return checkConnect(bytes, seen, head);
    }
    int required = isConnect ? SCHEME | PATH | AUTHORITY : SCHEME | PATH;
    if ((seen & required) != required) {
      return head.reject(Rejection.PSEUDO_FIELD_MISSING, 0);
    }
    return checkMethod(bytes, head)
        && checkScheme(text, head)
        && ((seen & PROTOCOL) == 0 || checkProtocol(bytes, isConnect, head))
        && (isPlainPath(text, head) || targetRules.checkPathAlone(bytes, 0, head))
        && (head.hostStart == NONE
            || Authority.isPlain(text, head.hostStart, head.hostEnd)
            || TargetRules.checkAuthority(bytes, 0, head));
  }

  private static int methodCode(byte[] text, int start, int end) {
    int length = end - start;
    if (length >= Long.BYTES) {
      return Methods.OTHER;
    }
    int bits = Byte.SIZE * length;
    long token = Memory.longAt(text, start) & (1L << bits) - 1;
    int code = Methods.find(token | SPACE << bits);
    // a value with a space could start with a known method
    return Methods.length(code) == length ? code : Methods.OTHER;
  }

  /** Takes the target if it has the common form: a path without query and percent signs. */
  private static boolean isPlainPath(byte[] text, RequestHead head) {
    int start = head.targetStart;
    int end = head.targetEnd;
    if (start == end || text[start] != '/' || !SwarScanner.isPlainPath(text, start, end)) {
      return false;
    }
    head.targetFormCode = TargetRules.ORIGIN;
    head.pathStart = start;
    head.pathEnd = end;
    head.queryStart = NONE;
    return true;
  }

  /** Checks CONNECT, whose target is the authority (RFC 9113 section 8.5). */
  private boolean checkConnect(MemorySegment bytes, int seen, RequestHead head) {
    if ((seen & (SCHEME | PATH)) != 0) {
      int first = (seen & SCHEME) != 0 ? head.schemeStart : head.targetStart;
      return head.reject(Rejection.PSEUDO_FIELD_FORBIDDEN, first);
    }
    if ((seen & AUTHORITY) == 0) {
      return head.reject(Rejection.PSEUDO_FIELD_MISSING, 0);
    }
    head.targetStart = head.hostStart;
    head.targetEnd = head.hostEnd;
    head.pathStart = head.hostEnd;
    head.pathEnd = head.hostEnd;
    head.queryStart = NONE;
    return checkMethod(bytes, head) && TargetRules.checkAuthorityForm(bytes, 0, head);
  }

  /** Checks the method, and the length of a request line with it. */
  private boolean checkMethod(MemorySegment bytes, RequestHead head) {
    int start = head.methodStart;
    int end = head.methodEnd;
    if (head.methodCode == Methods.OTHER) {
      long tokenEnd = SCANNER.tokenEnd(bytes, start, end);
      if (start == end || tokenEnd != end) {
        return head.reject(Rejection.METHOD_INVALID, (int) tokenEnd);
      }
      if (end - start >= lineBytesMax) {
        return head.reject(Rejection.METHOD_TOO_LONG, start + lineBytesMax);
      }
    }
    int length = end - start + head.targetEnd - head.targetStart + LINE_OVERHEAD;
    return length <= lineBytesMax || head.reject(Rejection.REQUEST_LINE_TOO_LONG, head.targetStart);
  }

  private static boolean checkScheme(byte[] text, RequestHead head) {
    int start = head.schemeStart;
    int end = head.schemeEnd;
    int length = end - start;
    long word = Memory.longAt(text, start);
    if ((word & HTTP_BYTES) == HTTP
        && (length == HTTP_LENGTH || (length == HTTP_LENGTH + 1 && text[end - 1] == 's'))) {
      return true;
    }
    int at = start;
    while (at < end && CharClass.SCHEME.contains(text[at])) {
      at++;
    }
    boolean valid = start < end && at == end && isLetter(text[start]);
    return valid || head.reject(Rejection.SCHEME_INVALID, at);
  }

  /** Returns true for a character of a scheme that can be its first. */
  private static boolean isLetter(byte value) {
    return value >= 'A';
  }

  /** Checks the protocol that an extended CONNECT asks for: a token, then possibly its version. */
  private boolean checkProtocol(MemorySegment bytes, boolean isConnect, RequestHead head) {
    int start = head.protocolStart;
    int end = head.protocolEnd;
    if (!isConnect || !acceptsExtendedConnect) {
      return head.reject(Rejection.PSEUDO_FIELD_FORBIDDEN, start);
    }
    long nameEnd = SCANNER.tokenEnd(bytes, start, end);
    long versionEnd = nameEnd;
    boolean hasVersion = nameEnd < end && Memory.byteAt(bytes, nameEnd) == '/';
    if (hasVersion) {
      versionEnd = SCANNER.tokenEnd(bytes, nameEnd + 1, end);
    }
    boolean valid =
        nameEnd > start && versionEnd == end && (!hasVersion || versionEnd > nameEnd + 1);
    return valid || head.reject(Rejection.PROTOCOL_INVALID, start);
  }
}
