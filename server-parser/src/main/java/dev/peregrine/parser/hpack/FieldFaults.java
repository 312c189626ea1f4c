package dev.peregrine.parser.hpack;

import dev.peregrine.protocol.Rejection;
import dev.peregrine.protocol.grammar.Ascii;
import dev.peregrine.protocol.grammar.CharClass;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a field's name and value (RFC 9113 section 8.2.1) as a small number, in which both
 * can be or-ed; 0 if the field is valid.
 */
final class FieldFaults {
  private static final int NAME_EMPTY = 1;
  private static final int NAME_UPPER_CASE = 2;
  private static final int NAME_INVALID = 3;
  private static final int NAME_FAULTS = 3;
  private static final int VALUE_INVALID = 4;
  private static final int VALUE_SPACE_AROUND = 8;

  private FieldFaults() {}

  /** Returns the fault of a name: a token without upper-case letters, or ":" and such a token. */
  static int ofName(byte[] text, int from, int to) {
    if (from == to) {
      return NAME_EMPTY;
    }
    int token = text[from] == Ascii.COLON ? from + 1 : from;
    for (int i = token; i < to; i++) {
      if (text[i] >= 'A' && text[i] <= 'Z') {
        return NAME_UPPER_CASE;
      }
      if (!CharClass.TOKEN.contains(text[i])) {
        return NAME_INVALID;
      }
    }
    return token == to ? NAME_INVALID : 0;
  }

  /** Returns the fault of a value. */
  static int ofValue(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!CharClass.FIELD_VALUE.contains(text[i])) {
        return VALUE_INVALID;
      }
    }
    boolean spaceAround = from < to && (Ascii.isBlank(text[from]) || Ascii.isBlank(text[to - 1]));
    return spaceAround ? VALUE_SPACE_AROUND : 0;
  }

  /** Returns those faults of a field that are its name's. */
  static int ofNameOnly(int faults) {
    return faults & NAME_FAULTS;
  }

  /** Returns the first fault, or null for 0. */
  static @Nullable Rejection rejection(int faults) {
    return switch (faults & NAME_FAULTS) {
      case NAME_EMPTY -> Rejection.FIELD_NAME_EMPTY;
      case NAME_UPPER_CASE -> Rejection.FIELD_NAME_UPPER_CASE;
      case NAME_INVALID -> Rejection.FIELD_NAME_INVALID;
      default ->
          switch (faults) {
            case VALUE_INVALID -> Rejection.FIELD_VALUE_INVALID;
            case VALUE_SPACE_AROUND -> Rejection.FIELD_VALUE_SPACE_AROUND;
            default -> null;
          };
    };
  }
}
