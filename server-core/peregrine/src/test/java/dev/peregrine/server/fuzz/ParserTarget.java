package dev.peregrine.server.fuzz;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Checks that every scanner has the same result for every cut, in memory that ends with the bytes.
 */
final class ParserTarget {
  private static final List<RequestParser> PARSERS =
      Arrays.stream(ScannerKind.values())
          .filter(kind -> kind != ScannerKind.VECTOR || ScannerKind.vectorProblem() == null)
          .map(kind -> new RequestParser(ParserLimits.DEFAULT, kind))
          .toList();

  private ParserTarget() {}

  static void run(byte[] data) {
    String expected = null;
    for (RequestParser parser : PARSERS) {
      for (List<byte[]> pieces : List.of(List.of(data), Cuts.single(data), Cuts.random(data))) {
        String outcome = parse(parser, data, pieces);
        if (expected == null) {
          expected = outcome;
        } else if (!outcome.equals(expected)) {
          throw new AssertionError(parser.scanner() + " says " + outcome + ", not " + expected);
        }
      }
    }
  }

  private static String parse(RequestParser parser, byte[] data, List<byte[]> pieces) {
    RequestHead head = new RequestHead();
    int to = 0;
    int result = RequestParser.NEED_MORE;
    for (byte[] piece : pieces) {
      to += piece.length;
      MemorySegment bytes = MemorySegment.ofArray(Arrays.copyOf(data, to));
      result = parser.parse(bytes, 0, to, head);
      if (result > 0) {
        head.index(bytes, 0);
      }
      if (result != RequestParser.NEED_MORE) {
        break;
      }
    }
    return result > 0 ? result + describe(head) : result + " " + head.rejection();
  }

  private static String describe(RequestHead head) {
    StringBuilder text = new StringBuilder();
    add(text, head.methodStart(), head.methodEnd(), head.targetStart(), head.targetEnd());
    add(text, head.pathStart(), head.pathEnd(), head.queryStart(), head.queryEnd());
    add(text, head.hostStart(), head.hostEnd(), head.contentLength(), head.length());
    text.append(' ').append(head.method()).append(head.version()).append(head.targetForm());
    text.append(head.isChunked()).append(head.isKeepAlive());
    text.append(head.expectsContinue()).append(head.isUpgrade());
    for (int i = 0; i < head.fieldCount(); i++) {
      add(text, head.nameStart(i), head.nameEnd(i), head.valueStart(i), head.valueEnd(i));
      text.append(head.knownName(i));
    }
    return text.toString();
  }

  private static void add(StringBuilder text, long... values) {
    for (long value : values) {
      text.append(' ').append(value);
    }
  }
}
