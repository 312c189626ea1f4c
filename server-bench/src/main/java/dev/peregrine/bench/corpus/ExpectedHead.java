package dev.peregrine.bench.corpus;

import dev.peregrine.parser.RequestHead;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The content of a head, found with string methods alone. Parsers are compared with it before they
 * are timed.
 */
public record ExpectedHead(String method, String target, List<String> names, List<String> values) {
  /** Reads a valid head in the plainest way. */
  public static ExpectedHead of(String head) {
    List<String> lines = head.lines().takeWhile(line -> !line.isEmpty()).toList();
    String requestLine = lines.getFirst();
    int methodEnd = requestLine.indexOf(' ');
    String method = requestLine.substring(0, methodEnd);
    String target = requestLine.substring(methodEnd + 1, requestLine.lastIndexOf(' '));
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      names.add(line.substring(0, colon));
      values.add(line.substring(colon + 1).strip());
    }
    return new ExpectedHead(method, target, names, values);
  }

  /** Reads the parser's result, by its offsets. */
  public static ExpectedHead of(MemorySegment bytes, int from, RequestHead head) {
    List<String> names = new ArrayList<>();
    List<String> values = new ArrayList<>();
    head.index(bytes, from);
    for (int i = 0; i < head.fieldCount(); i++) {
      names.add(text(bytes, from + head.nameStart(i), from + head.nameEnd(i)));
      values.add(text(bytes, from + head.valueStart(i), from + head.valueEnd(i)));
    }
    return new ExpectedHead(
        text(bytes, from + head.methodStart(), from + head.methodEnd()),
        text(bytes, from + head.targetStart(), from + head.targetEnd()),
        names,
        values);
  }

  private static String text(MemorySegment bytes, int from, int to) {
    byte[] copy = bytes.asSlice(from, (long) to - from).toArray(ValueLayout.JAVA_BYTE);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }
}
