package dev.peregrine.server.conformance;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cuts the bytes of a connection into responses, by the letter of RFC 9112; fails otherwise. */
final class WireResponses {
  private static final int FINAL_STATUS_MIN = 200;
  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/1\\.1 ([1-5][0-9]{2}) [\\t\\x20-\\x7e\\x80-\\xff]*");
  private static final Pattern FIELD_LINE =
      Pattern.compile(
          "([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\\x21-\\x7e\\x80-\\xff]?[\\t\\x20-\\x7e\\x80-\\xff]*)");
  private static final Pattern DATE =
      Pattern.compile(
          "(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT");

  /**
   * One response.
   *
   * @param closes whether it has {@code Connection: close}
   */
  record Wire(int status, boolean closes, List<String> fields, String text) {}

  private final String wire;
  private final IntPredicate isHead;
  private int at;

  private WireResponses(byte[] bytes, IntPredicate isHead) {
    this.wire = new String(bytes, StandardCharsets.ISO_8859_1);
    this.isHead = isHead;
  }

  /**
   * Parses everything that was sent.
   *
   * @param isHead whether the final response of that number answers a HEAD
   */
  static List<Wire> parse(byte[] bytes, IntPredicate isHead) {
    WireResponses parser = new WireResponses(bytes, isHead);
    List<Wire> responses = new ArrayList<>();
    int finals = 0;
    while (parser.at < parser.wire.length()) {
      Wire response = parser.next(finals);
      responses.add(response);
      finals += response.status() >= FINAL_STATUS_MIN ? 1 : 0;
    }
    return responses;
  }

  private Wire next(int index) {
    Matcher statusLine = STATUS_LINE.matcher(line());
    require(statusLine.matches(), "a status line");
    int status = Integer.parseInt(statusLine.group(1));
    List<String> fields = fieldLines();
    List<String> connection = values(fields, "connection");
    List<String> lengths = values(fields, "content-length");
    List<String> codings = values(fields, "transfer-encoding");
    boolean closes = connection.contains("close");
    require(lengths.size() + codings.size() <= 1, "one framing: " + fields);
    if (status < 200 || status == 204) {
      require(lengths.isEmpty() && codings.isEmpty(), "no framing: " + fields);
    }
    if (status >= 200) {
      List<String> dates = values(fields, "date");
      require(dates.size() == 1 && DATE.matcher(dates.getFirst()).matches(), "a Date: " + fields);
    }
    if (isHead.test(index) || status < 200 || status == 204 || status == 304) {
      return new Wire(status, closes, fields, "");
    }
    if (!lengths.isEmpty()) {
      return new Wire(status, closes, fields, take(Integer.parseInt(lengths.getFirst())));
    }
    if (!codings.isEmpty()) {
      require(codings.getFirst().equals("chunked"), "chunked: " + fields);
      return new Wire(status, closes, fields, chunks());
    }
    require(closes, "an end of the content: " + fields);
    return new Wire(status, true, fields, take(wire.length() - at));
  }

  private String chunks() {
    StringBuilder content = new StringBuilder();
    for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
      content.append(take(size));
      require(line().isEmpty(), "a line end behind the chunk");
    }
    fieldLines();
    return content.toString();
  }

  private List<String> fieldLines() {
    List<String> fields = new ArrayList<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      require(FIELD_LINE.matcher(line).matches(), "a field line instead of " + line);
      fields.add(line);
    }
    return fields;
  }

  private static List<String> values(List<String> fields, String name) {
    return fields.stream()
        .filter(field -> field.regionMatches(true, 0, name + ":", 0, name.length() + 1))
        .map(field -> field.substring(name.length() + 2))
        .toList();
  }

  private String line() {
    int end = wire.indexOf("\r\n", at);
    require(end >= 0, "a line");
    String line = wire.substring(at, end);
    at = end + 2;
    return line;
  }

  private String take(int count) {
    require(count <= wire.length() - at, count + " bytes of content");
    at += count;
    return wire.substring(at - count, at);
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("expected " + what + " at " + at + " of: " + wire);
    }
  }
}
