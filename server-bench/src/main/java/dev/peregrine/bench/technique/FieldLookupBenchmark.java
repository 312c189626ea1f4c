package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.grammar.Ascii;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Looks six fields of a request up by strings, as handlers and filters do: a few are present, one
 * name is unknown.
 */
public class FieldLookupBenchmark extends Technique {
  private static final List<String> NAMES =
      List.of(
          HeaderName.ACCEPT_ENCODING,
          HeaderName.ORIGIN,
          HeaderName.COOKIE,
          HeaderName.X_REQUEST_ID,
          HeaderName.AUTHORIZATION,
          "X-Api-Key");

  @Param({"small", "browser"})
  String head;

  private final RequestHead parsed = new RequestHead();
  private MemorySegment bytes;

  /** Parses and indexes the head, and checks that both forms find the same fields. */
  @Setup
  public void setUp() {
    NativeHeads heads = NativeHeads.of(Corpus.named(head).bytes());
    bytes = heads.segment();
    RequestParser parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
    check(parser.parse(bytes, 0, heads.length(), parsed) == heads.length(), "head");
    parsed.index(bytes, 0);
    for (String name : NAMES) {
      checkEqual(scanned(name), found(name));
    }
    checkEqual(scan(), table());
  }

  /** Compares the names of all fields: the server's way before a field's value was read. */
  @Benchmark
  public int scan() {
    int sum = 0;
    for (String name : NAMES) {
      sum += scanned(name);
    }
    return sum;
  }

  /** The server's way once the names of a head are recognised: from the string to its bit. */
  @Benchmark
  public int table() {
    int sum = 0;
    for (String name : NAMES) {
      sum += found(name);
    }
    return sum;
  }

  private int found(String name) {
    KnownHeader known = KnownHeader.of(name);
    return known != null && known.isRecognisedInRequests() ? parsed.indexOf(known) : scanned(name);
  }

  private int scanned(String name) {
    for (int i = 0; i < parsed.fieldCount(); i++) {
      if (isNamed(parsed.nameStart(i), parsed.nameEnd(i), name)) {
        return i;
      }
    }
    return -1;
  }

  private boolean isNamed(int from, int to, String name) {
    if (to - from != name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (lower(bytes.get(ValueLayout.JAVA_BYTE, from + i) & 0xFF) != lower(name.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c | Ascii.CASE_BIT : c;
  }
}
