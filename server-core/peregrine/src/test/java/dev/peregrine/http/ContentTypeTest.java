package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.base.FieldBytes;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentTypeTest {
  @Test
  void isItsFieldLine() {
    ContentType type = ContentType.of("text/x; a=\"\u00e9\"");
    byte[] target = new byte[2 + FieldBytes.length(type) + 1];

    FieldBytes.copy(type, target, 2);

    assertThat(type).hasToString("text/x; a=\"\u00e9\"");
    assertThat(new String(target, 2, FieldBytes.length(type), StandardCharsets.ISO_8859_1))
        .isEqualTo("Content-Type: text/x; a=\"\u00e9\"\r\n");
    assertThat(target[1]).isZero();
    assertThat(target[2 + FieldBytes.length(type)]).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t", "a\r\nb", "a\nb", "a\0", "\u0100"})
  void rejectsTextThatCannotBeAFieldValue(String value) {
    assertThatThrownBy(() -> ContentType.of(value)).isInstanceOf(IllegalArgumentException.class);
  }
}
