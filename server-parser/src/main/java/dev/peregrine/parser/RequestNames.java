package dev.peregrine.parser;

import dev.peregrine.parser.field.NameTable;
import dev.peregrine.protocol.KnownHeader;

/** The field names that are recognised in requests; a name's id is its ordinal. */
final class RequestNames {
  static final int UNKNOWN = NameTable.UNKNOWN;

  static final NameTable TABLE = new NameTable(KnownHeader.namesRecognisedInRequests());

  private RequestNames() {}

  /** Returns the id of a name that requests can have. */
  @SuppressWarnings("EnumOrdinal") // the table is in the order of the constants
  static int id(KnownHeader name) {
    return name.ordinal();
  }

  /** Returns the bit of a name in the set of names present; 0 if requests don't have it. */
  static long bit(KnownHeader name) {
    return name.isRecognisedInRequests() ? 1L << id(name) : 0;
  }
}
