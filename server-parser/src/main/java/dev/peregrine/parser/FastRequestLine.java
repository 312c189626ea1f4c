package dev.peregrine.parser;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;

/**
 * Takes the usual request line without the states of {@link RequestLine}: complete, with a known
 * method, an origin form, HTTP/1.1 or 1.0. It leaves all others to {@link RequestLine}. Immutable.
 */
final class FastRequestLine {
  private static final int SHORTEST = "GET / HTTP/1.1\r\n".length();
  private static final int CONNECT = Methods.find(Memory.word("CONNECT "));
  private static final long HTTP_1_1 = Memory.word("HTTP/1.1");
  private static final long HTTP_1_0 = Memory.word("HTTP/1.0");

  private final Scanner scanner;
  private final TargetRules targetRules;
  private final int bytesMax;

  FastRequestLine(Scanner scanner, TargetRules targetRules, ParserLimits limits) {
    this.scanner = scanner;
    this.targetRules = targetRules;
    bytesMax = limits.requestLineBytesMax();
  }

  /**
   * Takes a request line that starts at {@code base}. Returns false, with the head unchanged, if it
   * doesn't have the usual form.
   */
  boolean take(MemorySegment bytes, long base, long to, RequestHead head) {
    if (to - base < SHORTEST) {
      return false;
    }
    int method = Methods.find(Memory.longAt(bytes, base));
    long start = base + Methods.length(method) + 1;
    if (method == Methods.OTHER || method == CONNECT || Memory.byteAt(bytes, start) != '/') {
      return false;
    }
    long limit = Math.min(to, base + bytesMax);
    long plainEnd = scanner.plainPathEnd(bytes, start, limit);
    boolean plain = plainEnd < limit && Memory.byteAt(bytes, plainEnd) == Ascii.SP;
    long end = plain ? plainEnd : scanner.targetEnd(bytes, plainEnd, limit);
    long version = end + 1;
    long lineEnd = version + Long.BYTES;
    if (lineEnd + 2 > to
        || (!plain && Memory.byteAt(bytes, end) != Ascii.SP)
        || Memory.shortAt(bytes, lineEnd) != Ascii.CRLF
        || lineEnd - base > bytesMax) {
      return false;
    }
    long name = Memory.longAt(bytes, version);
    if (name != HTTP_1_1 && name != HTTP_1_0) {
      return false;
    }
    head.methodCode = method; // also of a request that is rejected
    int path = (int) (start - base);
    int pathEnd = (int) (end - base); // or that of the query
    if (plain) {
      head.setPath(path, pathEnd);
    } else if (!targetRules.checkOriginForm(
        bytes, base, path, (int) (plainEnd - base), pathEnd, head)) {
      return false;
    }
    head.methodStart = 0;
    head.methodEnd = (int) (start - 1 - base);
    head.versionCode = name == HTTP_1_1 ? 1 : 0;
    head.at = (int) (lineEnd + 2 - base);
    return true;
  }
}
