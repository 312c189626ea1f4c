package dev.peregrine.server.accesslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Escaped and cut values of a line. */
final class LineTest {
  private static final int BYTES_MAX = 2048;
  private static final int VALUES_MAX = BYTES_MAX - Line.FIXED_BYTES;
  private static final int SHARE = VALUES_MAX / 16;

  private final Line ncsa = new Line(BYTES_MAX, false);
  private final Line json = new Line(BYTES_MAX, true);

  private static String accepted(Line line, byte[] value, int later) {
    int start = line.length;
    int copied = Math.min(value.length, line.bytes.length - start);
    System.arraycopy(value, 0, line.bytes, start, copied);
    line.accept(copied, later);
    return new String(line.bytes, start, line.length - start, StandardCharsets.ISO_8859_1);
  }

  private static String expected(int value, boolean isJson) {
    boolean isPlain = value >= ' ' && value < 0x7F && value != '"' && value != '\\';
    return isPlain ? "" + (char) value : (isJson ? "\\u%04X" : "\\x%02X").formatted(value);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 16, 21})
  void escapesEveryByteAtEveryPlace(int before) {
    for (int value = 0; value < 256; value++) {
      for (int after = 0; after < 9; after++) {
        String plain = "~".repeat(before);
        byte[] bytes =
            (plain + (char) value + " ".repeat(after)).getBytes(StandardCharsets.ISO_8859_1);
        ncsa.begin();
        json.begin();
        assertThat(accepted(ncsa, bytes, 0))
            .isEqualTo(plain + expected(value, false) + " ".repeat(after));
        assertThat(accepted(json, bytes, 0))
            .isEqualTo(plain + expected(value, true) + " ".repeat(after));
      }
    }
  }

  @Test
  void writesTextsOfJava() {
    json.begin();
    json.value("/a\"\\\u00e9\u20ac\ud83d\ude00", 0);
    assertThat(new String(json.bytes, 0, json.length, StandardCharsets.US_ASCII))
        .isEqualTo("/a\\u0022\\u005C\\u00E9\\u20AC\\uD83D\\uDE00");
  }

  @Test
  void cutsAValueAboveItsRoom() {
    for (int over = -1; over <= 1; over++) {
      byte[] value = "x".repeat(VALUES_MAX - SHARE + over).getBytes(StandardCharsets.US_ASCII);
      ncsa.begin();
      String text = accepted(ncsa, value, 1);
      assertThat(text).hasSize(Math.min(value.length, VALUES_MAX - SHARE));
      assertThat(text.endsWith("...")).isEqualTo(over > 0);
    }
  }

  @Test
  void cutsBetweenEscapesOnly() {
    byte[] quotes = "\"".repeat(3000).getBytes(StandardCharsets.US_ASCII);
    for (int plain = 0; plain < 12; plain++) {
      String before = "x".repeat(plain);
      byte[] value = (before + "\"".repeat(quotes.length)).getBytes(StandardCharsets.US_ASCII);
      ncsa.begin();
      json.begin();
      assertThat(accepted(ncsa, value, 0)).matches(before + "(\\\\x22)+\\.\\.\\.");
      assertThat(accepted(json, value, 0)).matches(before + "(\\\\u0022)+\\.\\.\\.");
      assertThat(json.length).isBetween(VALUES_MAX - 9, VALUES_MAX);
      json.begin();
      json.value("\"".repeat(quotes.length), 0);
      assertThat(json.length).isBetween(VALUES_MAX - 9, VALUES_MAX);
    }
  }

  @Test
  void keepsAShareForEachLaterValue() {
    byte[] value = "x".repeat(5000).getBytes(StandardCharsets.US_ASCII);
    ncsa.begin();
    for (int later = 6; later >= 0; later--) {
      String text = accepted(ncsa, value, later);
      assertThat(text.length()).isGreaterThanOrEqualTo(SHARE);
    }
    assertThat(ncsa.length).isEqualTo(VALUES_MAX);
  }

  @Test
  void writesNumbers() {
    for (long number : new long[] {0, 9, 10, 12_345, Long.MAX_VALUE}) {
      ncsa.begin();
      Line ignored = ncsa.number(number).character(' ').digits(number % 1000, 3);
      assertThat(new String(ncsa.bytes, 0, ncsa.length, StandardCharsets.US_ASCII))
          .isEqualTo("%d %03d".formatted(number, number % 1000));
    }
  }

  @Test
  void findsTheEndOfAPath() {
    ncsa.begin();
    byte[] target = "/a?b?c".getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(target, 0, ncsa.bytes, 0, target.length);

    assertThat(IntStream.range(0, 7).map(copied -> ncsa.lengthBefore('?', copied)))
        .containsExactly(0, 1, 2, 2, 2, 2, 2);
  }
}
