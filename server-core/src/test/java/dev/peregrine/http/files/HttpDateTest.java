package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpDateTest {
  @Test
  void readsWhatItWrites() {
    for (long second = -86_400; second < 5_000_000_000L; second += 86_399 * 31 + 7) {
      if (second >= 0) {
        assertThat(HttpDate.parse(HttpDate.format(second))).isEqualTo(second);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sun, 06 Nov 1994 08:49:37 GMT | 784111777",
        "Sunday, 06-Nov-94 08:49:37 GMT | 784111777",
        "Sun Nov  6 08:49:37 1994 | 784111777",
        "Sun Nov 16 08:49:37 1994 | 784975777",
        "Thu, 29 Feb 2024 23:59:59 GMT | 1709251199",
        "Sat, 31 Dec 2016 23:59:60 GMT | 1483228800"
      })
  void readsAllThreeFormats(String text, long second) {
    assertThat(HttpDate.parse(text)).isEqualTo(second);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        ",",
        "yesterday",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +00",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sunday, 06-Nov-xx 08:49:37 GMT",
        "Sun Nov  6 08:49:37 94  ",
        "Sun Nov  x 08:49:37 1994"
      })
  void refusesEverythingElse(String text) {
    assertThat(HttpDate.parse(text)).isEqualTo(HttpDate.INVALID);
  }

  @Test
  void refusesEveryPrefix() {
    for (String text :
        new String[] {
          "Sun, 06 Nov 1994 08:49:37 GMT",
          "Sunday, 06-Nov-94 08:49:37 GMT",
          "Sun Nov  6 08:49:37 1994"
        }) {
      for (int i = 0; i < text.length(); i++) {
        assertThat(HttpDate.parse(text.substring(0, i))).isEqualTo(HttpDate.INVALID);
      }
    }
  }
}
