package dev.peregrine.parser.field;

import dev.peregrine.protocol.Rejection;

/** Faults of a section of field lines, in a header or a trailer section. */
public enum FieldFault {
  NAME_EMPTY(Rejection.FIELD_NAME_EMPTY),
  NAME_INVALID(Rejection.FIELD_NAME_INVALID),
  COLON_MISSING(Rejection.FIELD_COLON_MISSING),
  SPACE_BEFORE_COLON(Rejection.FIELD_SPACE_BEFORE_COLON),
  SPACE_BEFORE_FIRST(Rejection.FIELD_SPACE_BEFORE_FIRST),
  FOLDED(Rejection.FIELD_LINE_FOLDED),
  VALUE_INVALID(Rejection.FIELD_VALUE_INVALID),
  BARE_CARRIAGE_RETURN(Rejection.BARE_CARRIAGE_RETURN),
  BARE_LINE_FEED(Rejection.BARE_LINE_FEED),
  SECTION_TOO_LARGE(Rejection.HEADER_SECTION_TOO_LARGE, Rejection.TRAILER_SECTION_TOO_LARGE),
  TOO_MANY_LINES(Rejection.TOO_MANY_FIELDS, Rejection.TOO_MANY_TRAILERS);

  private final Rejection inHeader;
  private final Rejection inTrailers;

  FieldFault(Rejection inHeader, Rejection inTrailers) {
    this.inHeader = inHeader;
    this.inTrailers = inTrailers;
  }

  FieldFault(Rejection anywhere) {
    this(anywhere, anywhere);
  }

  /** Returns the rejection of a header section with this fault. */
  public Rejection inHeader() {
    return inHeader;
  }

  /** Returns the rejection of a trailer section with this fault. */
  public Rejection inTrailers() {
    return inTrailers;
  }
}
