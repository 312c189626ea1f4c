package dev.peregrine.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OriginTest {
  @ParameterizedTest
  @CsvSource({
    "https://example.com, HTTPS://EXAMPLE.COM",
    "https://example.com, https://example.com:443",
    "http://example.com, http://example.com:80",
    "http://[::1]:8080, http://[::1]:8080",
    "chrome-extension://abcdef, chrome-extension://abcdef",
  })
  void equalsAnotherFormOfTheSameOrigin(String one, String other) {
    assertThat(Origin.parse(one)).isNotNull().isEqualTo(Origin.parse(other));
  }

  @ParameterizedTest
  @CsvSource({
    "https://example.com, http://example.com",
    "https://example.com, https://example.com:444",
    "https://example.com, https://www.example.com",
    "https://example.com, https://example.com.evil.net",
    "https://example.com, https://example.com.",
    "http://example.com:443, https://example.com",
  })
  void differsFromAnotherOrigin(String one, String other) {
    assertThat(Origin.parse(one)).isNotNull().isNotEqualTo(Origin.parse(other));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "*",
        "example.com",
        "https://",
        "https://example.com/",
        "https://example.com/path",
        "https://user@example.com",
        "https://example.com:",
        "https://example.com:65536",
        "https://example.com:-1",
        "https://example.com https://other.com",
        "https://example.com#x",
        "https://[::1",
        "://example.com",
        "1http://example.com",
      })
  void isNotReadFromOtherText(String text) {
    assertThat(Origin.parse(text)).isNull();
  }

  @Test
  void hasTheSchemeAndTheAuthorityOfARequest() {
    assertThat(Origin.of("https", "Example.com")).isEqualTo(Origin.parse("https://example.com"));
    assertThat(Origin.of("http", "localhost:8080"))
        .isEqualTo(Origin.parse("http://localhost:8080"));
  }
}
