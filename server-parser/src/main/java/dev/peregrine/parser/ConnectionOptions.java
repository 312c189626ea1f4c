package dev.peregrine.parser;

import static dev.peregrine.parser.KnownHeader.CONNECTION;

import dev.peregrine.parser.field.FieldLines;
import java.lang.foreign.MemorySegment;

/** The connection options that matter to a server (RFC 9110 section 7.6.1); others are ignored. */
final class ConnectionOptions {
  static final int CLOSE = 1;
  static final int KEEP_ALIVE = 2;
  static final int UPGRADE = 4;

  private ConnectionOptions() {}

  /** The options of all Connection fields together, as bits. */
  static int read(MemorySegment bytes, int base, FieldLines lines) {
    int options = 0;
    for (int line = lines.firstLine(RequestNames.id(CONNECTION)); line < lines.count(); line++) {
      if (lines.nameId(line) == RequestNames.id(CONNECTION)) {
        options |= ofValue(bytes, base + lines.valueStart(line), base + lines.valueEnd(line));
      }
    }
    return options;
  }

  private static int ofValue(MemorySegment bytes, int start, int end) {
    int options = 0;
    int at = ListElements.next(bytes, start, end);
    while (at < end) {
      int elementEnd = ListElements.end(bytes, at, end);
      options |= option(bytes, at, elementEnd);
      at = ListElements.next(bytes, elementEnd, end);
    }
    return options;
  }

  private static int option(MemorySegment bytes, int start, int end) {
    if (ListElements.equal(bytes, start, end, "close")) {
      return CLOSE;
    }
    if (ListElements.equal(bytes, start, end, "keep-alive")) {
      return KEEP_ALIVE;
    }
    return ListElements.equal(bytes, start, end, "upgrade") ? UPGRADE : 0;
  }
}
