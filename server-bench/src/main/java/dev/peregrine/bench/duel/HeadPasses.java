package dev.peregrine.bench.duel;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.lang.foreign.MemorySegment;

/** Parses as a server does: one parser, one head, one segment. Loaded by {@link OwnLoader}. */
public final class HeadPasses implements Passes {
  private final RequestParser parser;
  private final RequestHead head = new RequestHead();

  /** Creates a parser with the scanner of that name. */
  public HeadPasses(String scanner) {
    parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.valueOf(scanner));
  }

  @Override
  public long run(MemorySegment segment, int length, long rounds) {
    long fields = 0;
    for (long i = 0; i < rounds; i++) {
      long seen = pass(segment, length);
      if (seen < 0) {
        return -1;
      }
      fields += seen;
    }
    return fields;
  }

  private long pass(MemorySegment segment, int end) {
    long fields = 0;
    for (int at = 0; at < end; ) {
      int length = parser.parse(segment, at, end, head);
      if (length <= 0) {
        return -1;
      }
      fields += head.fieldCount();
      at += length;
    }
    return fields;
  }
}
