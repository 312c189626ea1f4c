package dev.peregrine.parser.hpack;

/**
 * The properties of a field except its text and place, packed into a long: the lengths of its name
 * and value, the id of its name, and its {@link FieldFaults}.
 */
final class FieldShape {
  private static final int LENGTH_BITS = 24;
  private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;
  private static final int NAME_ID_SHIFT = 2 * LENGTH_BITS;
  private static final int FAULTS_SHIFT = NAME_ID_SHIFT + Byte.SIZE;

  private FieldShape() {}

  /** Returns a shape, for lengths below {@link DecodedFields#BYTES_MAX}. */
  static long of(int nameLength, int valueLength, int nameId, int faults) {
    return nameLength
        | (long) valueLength << LENGTH_BITS
        | (long) nameId << NAME_ID_SHIFT
        | (long) faults << FAULTS_SHIFT;
  }

  static int nameLength(long shape) {
    return (int) shape & LENGTH_MASK;
  }

  static int valueLength(long shape) {
    return (int) (shape >>> LENGTH_BITS) & LENGTH_MASK;
  }

  static int nameId(long shape) {
    return (int) (shape >>> NAME_ID_SHIFT) & 0xFF;
  }

  static int faults(long shape) {
    return (int) (shape >>> FAULTS_SHIFT);
  }
}
