package dev.peregrine.parser.field;

/** What can be wrong with a section of field lines, whichever message part holds it. */
public enum FieldFault {
  NAME_EMPTY,
  NAME_INVALID,
  COLON_MISSING,
  SPACE_BEFORE_COLON,
  SPACE_BEFORE_FIRST,
  FOLDED,
  VALUE_INVALID,
  BARE_CARRIAGE_RETURN,
  BARE_LINE_FEED,
  SECTION_TOO_LARGE,
  TOO_MANY_LINES
}
