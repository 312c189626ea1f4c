package dev.peregrine.parser.hpack;

import dev.peregrine.protocol.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decoded block as text.
 *
 * @param valid false for an error of the compression; then the rest is empty
 * @param tableSize the size of the dynamic table afterwards
 */
record DecodedBlock(
    boolean valid, List<Field> fields, @Nullable Rejection fault, boolean tooLarge, int tableSize) {
  /** A field in Latin-1. */
  record Field(String name, String value, int nameId) {
    Field(String name, String value) {
      this(name, value, ReferenceHpackDecoder.nameId(name));
    }
  }

  static final DecodedBlock INVALID = new DecodedBlock(false, List.of(), null, false, 0);

  static DecodedBlock of(DecodedFields decoded, int tableSize) {
    var fields = new ArrayList<Field>();
    for (int i = 0; i < decoded.count(); i++) {
      fields.add(
          new Field(
              text(decoded, decoded.nameStart(i), decoded.nameEnd(i)),
              text(decoded, decoded.valueStart(i), decoded.valueEnd(i)),
              decoded.nameId(i)));
    }
    return new DecodedBlock(
        true, List.copyOf(fields), decoded.fault(), decoded.isTooLarge(), tableSize);
  }

  private static String text(DecodedFields decoded, int from, int to) {
    return new String(decoded.text(), from, to - from, StandardCharsets.ISO_8859_1);
  }
}
