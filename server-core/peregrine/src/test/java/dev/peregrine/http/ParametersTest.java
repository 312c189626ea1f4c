package dev.peregrine.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ParametersTest {
  private static final int LENGTH_MAX = 40;

  @Test
  void decodesEveryByteAtEveryPosition() {
    for (int length = 1; length <= LENGTH_MAX; length++) {
      for (int at = 0; at < length; at++) {
        for (int value = 0; value <= 0xFF; value++) {
          expect("a".repeat(at), (byte) value, "b".repeat(length - at - 1));
        }
      }
    }
  }

  private static void expect(String before, byte value, String behind) {
    byte[] pair = (before + '?' + behind).getBytes(US_ASCII);
    pair[before.length()] = value;
    String encoded = before + String.format("%%%02X", value) + behind;
    if (value <= 0) {
      expectRefused(pair);
      expectRefused(encoded.getBytes(US_ASCII));
      return;
    }
    assertThat(Parameters.parse(encoded).name(0)).isEqualTo(before + (char) value + behind);
    switch (value) {
      case '%' -> expectRefused(pair);
      case '&' -> assertThat(Parameters.parse(pair).names()).containsAll(nonEmpty(before, behind));
      case '=' -> expectPair(pair, before, behind);
      case '+' -> expectPair(pair, before + ' ' + behind, "");
      default -> expectPair(pair, before + (char) value + behind, "");
    }
  }

  private static List<String> nonEmpty(String... names) {
    return Stream.of(names).filter(name -> !name.isEmpty()).toList();
  }

  private static void expectPair(byte[] pair, String name, String value) {
    Parameters parameters = Parameters.parse(pair);
    assertThat(parameters.size()).isEqualTo(1);
    assertThat(parameters.name(0)).isEqualTo(name);
    assertThat(parameters.value(0)).isEqualTo(value);
  }

  private static void expectRefused(byte[] urlencoded) {
    assertThatThrownBy(() -> Parameters.parse(urlencoded)).isInstanceOf(HttpException.class);
  }

  @Test
  void decodesUtf8AfterPlainText() {
    assertThat(Parameters.parse("q=plain+caf%C3%A9&%E2%82%AC=x").toString())
        .isEqualTo("q=plain caf\u00e9, \u20ac=x");
    assertThat(Parameters.parse("q=caf\u00e9").first("q")).isEqualTo("caf\u00e9");
  }
}
