package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.Corpus;
import dev.peregrine.bench.corpus.ExpectedHead;
import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.lang.foreign.MemorySegment;

/** Parses all heads of a corpus as a server does: one parser, one head, one segment. */
final class HeadLoop {
  private final RequestParser parser;
  private final RequestHead head = new RequestHead();

  HeadLoop(ScannerKind scanner) {
    parser = new RequestParser(ParserLimits.DEFAULT, scanner);
  }

  /** Returns the number of field lines seen. */
  long run(NativeHeads heads) {
    MemorySegment segment = heads.segment();
    int end = heads.length();
    long fields = 0;
    for (int at = 0; at < end; ) {
      int length = parser.parse(segment, at, end, head);
      if (length <= 0) {
        throw new IllegalStateException("head at " + at + ": " + head.rejection());
      }
      fields += head.fieldCount();
      at += length;
    }
    return fields;
  }

  /** Compares every head that the parser finds with the text; returns the number of field lines. */
  long check(Corpus corpus, NativeHeads heads) {
    long fields = 0;
    int at = 0;
    for (String text : corpus.heads()) {
      int length = parser.parse(heads.segment(), at, heads.length(), head);
      ExpectedHead expected = ExpectedHead.of(text);
      if (length != text.length() || !ExpectedHead.of(heads.segment(), at, head).equals(expected)) {
        throw new IllegalStateException(parser.scanner() + " parsed this wrongly:\n" + text);
      }
      fields += expected.names().size();
      at += length;
    }
    return fields;
  }
}
