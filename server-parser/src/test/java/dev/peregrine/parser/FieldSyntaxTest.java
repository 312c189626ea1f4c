package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldSyntaxTest {
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
      assertThat(FieldSyntax.isReasonPhrase("a" + c)).isEqualTo(c == '\t');
      assertThat(FieldSyntax.isFieldValue(new byte[] {'a', (byte) c}, 0, 2)).isEqualTo(c == '\t');
    }
    assertThat(FieldSyntax.isFieldValue("\u007f")).isFalse();
  }

  @Test
  void refusesWhatWouldBecomeALineEndInLatin1() {
    assertThat(FieldSyntax.isFieldValue("a\u010a")).isFalse();
    assertThat(FieldSyntax.isFieldValue("a\u560d")).isFalse();
    assertThat(FieldSyntax.isReasonPhrase("a\u010d")).isFalse();
    assertThat(FieldSyntax.isToken("a\u0161")).isFalse();
  }

  @Test
  void looksAtTheRangeAlone() {
    byte[] bytes = Segments.latin1("\nab\n");
    assertThat(FieldSyntax.isToken(bytes, 1, 3)).isTrue();
    assertThat(FieldSyntax.isToken(bytes, 1, 1)).isFalse();
    assertThat(FieldSyntax.isFieldValue(bytes, 1, 3)).isTrue();
  }
}
