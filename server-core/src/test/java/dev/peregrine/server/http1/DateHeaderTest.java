package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DateHeaderTest {
  @ParameterizedTest
  @CsvSource({
    "0, 'Thu, 01 Jan 1970 00:00:00 GMT'",
    "784111777, 'Sun, 06 Nov 1994 08:49:37 GMT'",
    "951782399, 'Mon, 28 Feb 2000 23:59:59 GMT'",
    "951782400, 'Tue, 29 Feb 2000 00:00:00 GMT'",
    "4102444799, 'Thu, 31 Dec 2099 23:59:59 GMT'",
  })
  void formatsAsTheRfcSays(long second, String expected) {
    assertThat(DateHeader.format(second)).isEqualTo(expected).hasSize(DateHeader.BYTES);
  }

  @Test
  void doesNotDependOnTheLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG"));
      assertThat(DateHeader.format(784111777)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void isReadBackAsTheSameSecondOnEveryDayOfManyYears() {
    for (long second = 0; second < 4_000_000_000L; second += 86_399 * 7) {
      String text = DateHeader.format(second);
      assertThat(text).hasSize(DateHeader.BYTES);
      Instant read = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      assertThat(read.getEpochSecond()).isEqualTo(second);
    }
  }
}
