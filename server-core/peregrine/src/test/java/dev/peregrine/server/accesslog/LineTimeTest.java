package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of lines, compared with the JDK's. */
final class LineTimeTest {
  private static final DateTimeFormatter NCSA =
      DateTimeFormatter.ofPattern("' ['dd/MMM/uuuu:HH:mm:ss xx'] \"'", Locale.ROOT);
  private static final DateTimeFormatter RFC_3339 =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);

  private static String written(LineTime time, long millis) {
    Line line = new Line(2048, false);
    time.write(millis, line);
    return new String(line.bytes, 0, line.length, StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"UTC", "America/Los_Angeles", "Europe/Berlin", "Asia/Kathmandu", "-09:30"})
  void writesTimesOfAZone(String name) {
    ZoneId zone = ZoneId.of(name);
    LineTime time = LineTime.ncsa(zone);
    long begin = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      long millis = begin + random.nextLong(400L * 86_400_000);
      for (long near = millis; near < millis + 2000; near += 700) {
        assertThat(written(time, near))
            .isEqualTo(NCSA.format(Instant.ofEpochMilli(near).atZone(zone)));
      }
    }
  }

  @Test
  void writesTimesAtTransitions() {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    LineTime time = LineTime.ncsa(zone);
    for (String text : new String[] {"2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"}) {
      long transition = Instant.parse(text).toEpochMilli();
      for (long millis = transition - 2000; millis < transition + 2000; millis += 500) {
        assertThat(written(time, millis))
            .isEqualTo(NCSA.format(Instant.ofEpochMilli(millis).atZone(zone)));
      }
    }
  }

  @Test
  void writesTimesOfJson() {
    LineTime time = LineTime.rfc3339();
    for (long millis : new long[] {0, 999, 1000, 1_700_000_000_001L, 1_700_000_000_010L}) {
      assertThat(written(time, millis))
          .isEqualTo(RFC_3339.format(Instant.ofEpochMilli(millis).atZone(ZoneId.of("UTC"))));
    }
  }
}
