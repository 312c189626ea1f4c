package dev.peregrine.bench.technique;

import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.server.exchange.text.FieldLines;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Looks fields up by strings among those that a handler has set in a response, as filters and the
 * encoder do: most are absent.
 */
public class ResponseFieldsBenchmark extends Technique {
  private static final List<String> NAMES =
      List.of(
          HeaderName.SERVER,
          HeaderName.DATE,
          HeaderName.CONTENT_TYPE,
          HeaderName.CONTENT_ENCODING,
          HeaderName.CACHE_CONTROL,
          "X-Unknown");
  private static final List<String> SET =
      List.of(
          HeaderName.CACHE_CONTROL,
          HeaderName.ETAG,
          HeaderName.VARY,
          "X-Content-Type-Options",
          HeaderName.STRICT_TRANSPORT_SECURITY);

  @Param({"1", "5"})
  int fields;

  private final FieldLines lines = new FieldLines();
  private String[] set; // the names of the lines

  /** Sets the fields, and checks that all forms find the same ones. */
  @Setup
  public void setUp() {
    set = SET.subList(0, fields).toArray(String[]::new);
    for (String name : set) {
      lines.add(name, "a value: of some length, 1234");
    }
    for (String name : NAMES) {
      check(scanned(name) == lines.has(name) && listed(name) == lines.has(name), name);
    }
    checkEqual(scan(), lengthFirst(), filter(), 1);
  }

  /** Compares the name of each line. */
  @Benchmark
  public int scan() {
    int present = 0;
    for (String name : NAMES) {
      present += scanned(name) ? 1 : 0;
    }
    return present;
  }

  /** Compares the names in a list, those of the same length letter by letter. */
  @Benchmark
  public int lengthFirst() {
    int present = 0;
    for (String name : NAMES) {
      present += listed(name) ? 1 : 0;
    }
    return present;
  }

  /** The server's way: a bit for each name, by a hash; names whose bit is set are compared. */
  @Benchmark
  public int filter() {
    int present = 0;
    for (String name : NAMES) {
      present += lines.has(name) ? 1 : 0;
    }
    return present;
  }

  private boolean scanned(String name) {
    byte[] bytes = lines.array();
    int from = 0;
    while (from < lines.length()) {
      if (isNamed(bytes, from, name)) {
        return true;
      }
      while (bytes[from] != Ascii.LF) {
        from++;
      }
      from++;
    }
    return false;
  }

  private boolean listed(String name) {
    for (String candidate : set) {
      if (candidate.length() == name.length() && candidate.equalsIgnoreCase(name)) {
        return true;
      }
    }
    return false;
  }

  private boolean isNamed(byte[] bytes, int from, String name) {
    int colon = from + name.length();
    if (colon >= lines.length() || bytes[colon] != Ascii.COLON) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (lower(bytes[from + i]) != lower(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c | Ascii.CASE_BIT : c;
  }
}
