package dev.peregrine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.Segments;
import dev.peregrine.protocol.grammar.CharClass;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FieldSyntaxTest {
  private static final int LENGTH_MAX = 40;
  private static final int MARGIN = 3;

  @Test
  void knowsTokens() {
    assertThat(FieldSyntax.isToken("X-a_1!#$%&'*+.^`|~")).isTrue();
    assertThat(FieldSyntax.isToken("")).isFalse();
    for (char c : " \t\r\n\u0000:;,()<>@\"/[]?={}\\\u007f\u0080\u00e9\u0141\u2028".toCharArray()) {
      assertThat(FieldSyntax.isToken("a" + c)).as("U+%04x", (int) c).isFalse();
    }
  }

  @Test
  void knowsFieldValues() {
    assertThat(FieldSyntax.isFieldValue("")).isTrue();
    assertThat(FieldSyntax.isFieldValue(" a\tb \u0080\u00ff~")).isTrue();
    for (char c = 0; c < 0x20; c++) {
      assertThat(FieldSyntax.isFieldValue("a" + c)).as("U+%04x", (int) c).isEqualTo(c == '\t');
      assertThat(FieldSyntax.isFieldValue(new byte[] {'a', (byte) c}, 0, 2)).isEqualTo(c == '\t');
    }
    assertThat(FieldSyntax.isFieldValue("\u007f")).isFalse();
  }

  @Test
  void rejectsCharactersThatLatin1TurnsIntoALineEnd() {
    assertThat(FieldSyntax.isFieldValue("a\u010a")).isFalse();
    assertThat(FieldSyntax.isFieldValue("a\u560d")).isFalse();
    assertThat(FieldSyntax.isFieldValue("a\u010d")).isFalse();
    assertThat(FieldSyntax.isToken("a\u0161")).isFalse();
  }

  @Test
  void readsOnlyTheRange() {
    byte[] bytes = Segments.latin1("\nab\n");
    assertThat(FieldSyntax.isToken(bytes, 1, 3)).isTrue();
    assertThat(FieldSyntax.isToken(bytes, 1, 1)).isFalse();
    assertThat(FieldSyntax.isFieldValue(bytes, 1, 3)).isTrue();
  }

  @Test
  void agreesWithTheTableOnEveryByteAtEveryPosition() {
    byte[] bytes = new byte[MARGIN + LENGTH_MAX + MARGIN]; // NULs, which no value has
    for (int length = 0; length <= LENGTH_MAX; length++) {
      int to = MARGIN + length;
      for (byte fill : new byte[] {'a', '\t', (byte) 0xE9}) {
        Arrays.fill(bytes, MARGIN, to, fill);
        expectEqual(true, bytes, to);
        for (int at = MARGIN; at < to; at++) {
          for (int value = 0; value <= 0xFF; value++) {
            bytes[at] = (byte) value;
            expectEqual(CharClass.FIELD_VALUE.contains((byte) value), bytes, to);
          }
          bytes[at] = fill;
        }
      }
    }
  }

  private static void expectEqual(boolean expected, byte[] bytes, int to) {
    String text = new String(bytes, MARGIN, to - MARGIN, StandardCharsets.ISO_8859_1);
    if (FieldSyntax.isFieldValue(bytes, MARGIN, to) != expected
        || FieldSyntax.isFieldValue(text) != expected) {
      throw new AssertionError("not " + expected + ": " + Arrays.toString(bytes) + ", to " + to);
    }
  }

  @Test
  void knowsEveryCharacter() {
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      assertThat(FieldSyntax.isFieldValue("a" + (char) c))
          .as("U+%04x", c)
          .isEqualTo(CharClass.FIELD_VALUE.contains((char) c));
    }
  }
}
