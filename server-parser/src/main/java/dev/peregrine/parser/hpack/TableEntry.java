package dev.peregrine.parser.hpack;

import dev.peregrine.parser.field.RequestNames;

/**
 * An entry of a table, packed into a long: its place in the table's text, where its value follows
 * its name, the id of its name, and its {@link FieldFaults}. Never 0, because an empty name is a
 * fault.
 */
final class TableEntry {
  /** The size of an entry or field beyond its name and value, RFC 7541 section 4.1. */
  static final int OVERHEAD = 32;

  /** The bound of starts, which are counted modulo this, and of lengths. */
  static final int LENGTH_END = 1 << Short.SIZE;

  private static final int MASK = LENGTH_END - 1;
  private static final int NAME_SHIFT = 16;
  private static final int VALUE_SHIFT = 32;
  private static final int NAME_ID_SHIFT = 48;
  private static final int FAULTS_SHIFT = 56;

  private TableEntry() {}

  static long of(int start, int nameLength, int valueLength, int nameId, int faults) {
    return (start & MASK)
        | (long) nameLength << NAME_SHIFT
        | (long) valueLength << VALUE_SHIFT
        | (long) nameId << NAME_ID_SHIFT
        | (long) faults << FAULTS_SHIFT;
  }

  static long of(int start, long shape) {
    return of(
        start,
        FieldShape.nameLength(shape),
        FieldShape.valueLength(shape),
        FieldShape.nameId(shape),
        FieldShape.faults(shape));
  }

  static int start(long entry) {
    return (int) entry & MASK;
  }

  static int nameLength(long entry) {
    return (int) (entry >>> NAME_SHIFT) & MASK;
  }

  static int valueLength(long entry) {
    return (int) (entry >>> VALUE_SHIFT) & MASK;
  }

  /** Returns the id of the name among {@link RequestNames}. */
  static int nameId(long entry) {
    return (int) (entry >>> NAME_ID_SHIFT) & 0xFF;
  }

  static int faults(long entry) {
    return (int) (entry >>> FAULTS_SHIFT);
  }
}
