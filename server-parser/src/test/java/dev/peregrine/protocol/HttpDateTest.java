package dev.peregrine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpDateTest {
  @ParameterizedTest
  @CsvSource({
    "0, 'Thu, 01 Jan 1970 00:00:00 GMT'",
    "784111777, 'Sun, 06 Nov 1994 08:49:37 GMT'",
    "951782399, 'Mon, 28 Feb 2000 23:59:59 GMT'",
    "951782400, 'Tue, 29 Feb 2000 00:00:00 GMT'",
    "4102444799, 'Thu, 31 Dec 2099 23:59:59 GMT'",
    "-62167219200, 'Sat, 01 Jan 0000 00:00:00 GMT'",
    "-62167219201, 'Sat, 01 Jan 0000 00:00:00 GMT'",
    "-9223372036854775808, 'Sat, 01 Jan 0000 00:00:00 GMT'",
    "253402300799, 'Fri, 31 Dec 9999 23:59:59 GMT'",
    "253402300800, 'Fri, 31 Dec 9999 23:59:59 GMT'",
    "9223372036854775807, 'Fri, 31 Dec 9999 23:59:59 GMT'",
  })
  void formatsAsTheRfcRequires(long second, String expected) {
    assertThat(HttpDate.format(second)).isEqualTo(expected).hasSize(HttpDate.BYTES);
  }

  @Test
  void doesNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertThat(HttpDate.format(784111777)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void isReadBackAsTheSameSecondOnEveryDayOfManyYears() {
    for (long second = 0; second < 4_000_000_000L; second += 86_399 * 7) {
      String text = HttpDate.format(second);
      assertThat(text).hasSize(HttpDate.BYTES);
      Instant read = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      assertThat(read.getEpochSecond()).isEqualTo(second);
    }
  }

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
  void rejectsEverythingElse(String text) {
    assertThat(HttpDate.parse(text)).isEqualTo(HttpDate.INVALID);
  }

  @Test
  void rejectsEveryPrefix() {
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
