package dev.peregrine.jdk.httpserver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;

/**
 * A response as it was on the wire.
 *
 * @param fields the lines of the head after the first one
 * @param chunks the lengths of its chunks, without the last one; empty if it isn't chunked
 */
record Answer(String statusLine, List<String> fields, String content, List<Integer> chunks) {
  int status() {
    return Integer.parseInt(statusLine.split(" ", -1)[1]);
  }

  /** Returns the values of all fields with that name. */
  List<String> values(String name) {
    String prefix = name + ":";
    return fields.stream()
        .filter(line -> line.regionMatches(true, 0, prefix, 0, prefix.length()))
        .map(line -> line.substring(prefix.length()).strip())
        .toList();
  }

  boolean isChunked() {
    return values("Transfer-Encoding").equals(List.of("chunked"));
  }

  byte[] bytes() {
    return content.getBytes(ISO_8859_1);
  }
}
