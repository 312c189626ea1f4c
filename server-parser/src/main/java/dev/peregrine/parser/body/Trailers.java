package dev.peregrine.parser.body;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.field.FieldLines;
import dev.peregrine.parser.field.FieldSection;
import dev.peregrine.parser.field.RequestNames;
import dev.peregrine.parser.field.TrailerNames;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.SwarScanner;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.protocol.Rejection;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The trailer section of a chunked body, without the fields that are forbidden there. */
final class Trailers {
  /** A scanner without warm-up, because trailers are rare. */
  private static final Scanner SCANNER = new SwarScanner();

  private final FieldSection section = new FieldSection();
  private final int bytesMax;
  private final int linesMax;

  /** The lines that are not forbidden. */
  private final int[] kept;

  private int count;
  private int base;

  Trailers(ParserLimits limits) {
    bytesMax = limits.trailerBytesMax();
    linesMax = limits.trailerFieldsMax();
    kept = new int[linesMax];
  }

  void clear() {
    count = 0;
  }

  void begin() {
    section.begin(0, bytesMax, linesMax);
  }

  /**
   * Returns the length of the complete section that starts at {@code from}; 0 or less if it is
   * incomplete.
   */
  int advance(MemorySegment bytes, int from, int to) {
    int length = section.advance(SCANNER, bytes, from, to, false);
    if (length > 0) {
      section.lines().index(RequestNames.TABLE, bytes, from);
      base = from;
      keepPermitted();
    }
    return length;
  }

  private void keepPermitted() {
    FieldLines lines = section.lines();
    count = 0;
    for (int line = 0; line < lines.count(); line++) {
      if (TrailerNames.isPermitted(knownNameOfLine(line))) {
        kept[count++] = line;
      }
    }
  }

  /** Returns the reason why the section is rejected, or null. */
  @Nullable Rejection rejection() {
    Rejection fault = section.fault();
    if (fault == Rejection.HEADER_SECTION_TOO_LARGE) {
      return Rejection.TRAILER_SECTION_TOO_LARGE;
    }
    return fault == Rejection.TOO_MANY_FIELDS ? Rejection.TOO_MANY_TRAILERS : fault;
  }

  int count() {
    return count;
  }

  int nameStart(int trailer) {
    return base + section.lines().nameStart(line(trailer));
  }

  int nameEnd(int trailer) {
    return base + section.lines().nameEnd(line(trailer));
  }

  int valueStart(int trailer) {
    return base + section.lines().valueStart(line(trailer));
  }

  int valueEnd(int trailer) {
    return base + section.lines().valueEnd(line(trailer));
  }

  @Nullable KnownHeader knownName(int trailer) {
    return knownNameOfLine(line(trailer));
  }

  private int line(int trailer) {
    return kept[Objects.checkIndex(trailer, count)];
  }

  private @Nullable KnownHeader knownNameOfLine(int line) {
    return RequestNames.header(section.lines().nameId(line));
  }
}
