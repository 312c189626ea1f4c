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

/** A head whose fields are looked up by strings, with and without the index of its names. */
final class FieldSearch {
  static final List<String> NAMES =
      List.of(
          HeaderName.ACCEPT_ENCODING,
          HeaderName.ORIGIN,
          HeaderName.COOKIE,
          HeaderName.X_REQUEST_ID,
          HeaderName.AUTHORIZATION,
          "X-Api-Key");

  private final RequestHead parsed = new RequestHead();
  private final RequestParser parser;
  private final MemorySegment bytes;
  private final int length;

  /** Takes the head of that name from the corpus. */
  FieldSearch(String head, ScannerKind scanner) {
    NativeHeads heads = NativeHeads.of(Corpus.named(head).bytes());
    bytes = heads.segment();
    length = heads.length();
    parser = new RequestParser(ParserLimits.DEFAULT, scanner);
  }

  /** Parses the head anew, without an index. */
  void parse() {
    int end = parser.parse(bytes, 0, length, parsed);
    Technique.check(end == length, "head");
  }

  /** Recognises the names of all fields. */
  void index() {
    parsed.index(bytes, 0);
  }

  /** Finds a field by the index. */
  int found(String name) {
    KnownHeader known = KnownHeader.of(name);
    return known != null && known.isRecognisedInRequests() ? parsed.indexOf(known) : scanned(name);
  }

  /** Finds a field by comparing names. */
  int scanned(String name) {
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
