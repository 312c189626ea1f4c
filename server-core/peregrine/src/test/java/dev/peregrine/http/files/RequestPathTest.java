package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestPathTest {
  private static RequestPath parse(String raw) {
    return Objects.requireNonNull(RequestPath.parse(raw), raw);
  }

  @Test
  void splitsThenDecodes() {
    assertThat(parse("").names()).isEmpty();
    assertThat(parse("").endsWithSlash()).isTrue();
    assertThat(parse("a/b%20c/d;e").names()).containsExactly("a", "b c", "d;e");
    assertThat(parse("a/b").endsWithSlash()).isFalse();
    assertThat(parse("a/").names()).containsExactly("a");
    assertThat(parse("a/").endsWithSlash()).isTrue();
    assertThat(parse("%252e%252e").names()).containsExactly("%2e%2e");
    assertThat(parse("caf%C3%A9").names()).containsExactly("café");
    String raw = new String("café".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    assertThat(parse(raw).names()).containsExactly("café");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..%2fx",
        "...",
        "a%2fb",
        "a%2Fb",
        "%2f",
        "a\\b",
        "a%5cb",
        "..%5c..%5cx",
        "%5c%5chost",
        "C:",
        "c:%5cx",
        "a::$DATA",
        "x:y",
        "a.",
        "a..",
        "a%20",
        "a.%20",
        "CON",
        "con",
        "con.txt",
        "Aux.a.b",
        "nul",
        "PRN",
        "COM1",
        "com9.log",
        "LPT1",
        "com%C2%B9",
        "CONIN$",
        "a/nul/b",
        "con%20.txt"
      })
  void recognisesNamesThatNoFileHas(String raw) {
    assertThat(RequestPath.parse(raw)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "console",
        "comma",
        "com",
        "com10",
        "nully.txt",
        "a.con",
        "~",
        "a~1",
        "x%25",
        "a b"
      })
  void acceptsNamesThatOnlyLookReserved(String raw) {
    assertThat(parse(raw).names()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/x",
        "a//b",
        "//evil",
        ".",
        "..",
        "a/../b",
        "a/./b",
        "%2e%2e",
        "%2E%2e/x",
        "a/..",
        "%2e",
        "/",
        "a//",
        "%",
        "a%",
        "%4",
        "%zz",
        "a/%4/b",
        "%%41",
        "%00",
        "a%00.txt",
        "a%0ab",
        "%1f",
        "%7f",
        "%ff",
        "%c3",
        "%c3/%a9",
        "%c0%ae%c0%ae",
        "%c0%af",
        "%ed%a0%80",
        "%f5%80%80%80",
        "\u00e9"
      })
  void rejectsMalformedEncodingAndControls(String raw) {
    assertThatThrownBy(() -> RequestPath.parse(raw))
        .isInstanceOfSatisfying(
            HttpException.class, refusal -> assertThat(refusal.status()).isEqualTo(400));
  }

  @ParameterizedTest
  @CsvSource({
    "a, a",
    "%61/b, a/b",
    "a%20b/, a%20b/",
    "%c3%a9, %C3%A9",
    "a%3Fb, a%3Fb",
    "a%23b, a%23b",
    "a+b~c;d=e@f, a+b~c;d=e@f",
    "%3Cscript%3E, %3Cscript%3E",
    "a%22, a%22",
    "x%25, x%25"
  })
  void spellsAPathInOneWay(String raw, String canonical) {
    assertThat(parse(raw).canonical()).isEqualTo(canonical);
    assertThat(parse(canonical).names()).isEqualTo(parse(raw).names());
    assertThat(parse(canonical).canonical()).isEqualTo(canonical);
  }

  @Test
  void findsHiddenNamesAnywhere() {
    for (String raw : List.of(".git", "a/.git/b", "%2egit", "a/.htaccess", "..a")) {
      assertThat(parse(raw).isHidden()).as(raw).isTrue();
    }
    assertThat(parse("a.b/c").isHidden()).isFalse();
  }
}
