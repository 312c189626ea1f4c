package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteRangeTest {
  private static final long SIZE = 1000;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-0 | 0-1",
        "bytes=0-999 | 0-1000",
        "bytes=0-1000 | 0-1000",
        "bytes=999- | 999-1000",
        "bytes=-1 | 999-1000",
        "bytes=-1000 | 0-1000",
        "bytes=-5000 | 0-1000",
        "BYTES=1-2 | 1-3",
        "bytes=1-99999999999999999999999 | 1-1000",
        "bytes=1-9223372036854775807 | 1-1000",
        "bytes=-99999999999999999999999 | 0-1000",
        "bytes= 1-2 | 1-3",
        "bytes=1-2, 5-6 | 1-3 5-7",
        "bytes=5-6,1-2 | 5-7 1-3",
        "bytes=,1-2,,5-6, | 1-3 5-7",
        "bytes=1000-,1-2 | 1-3",
        "bytes=0-9,5-14 | 0-15",
        "bytes=0-9,10-14 | 0-15",
        "bytes=20-29,0-9,25-40 | 0-10 20-41",
        "bytes=0-,0-,0- | 0-1000",
        "bytes=-1,0-0 | 999-1000 0-1"
      })
  void findsTheRanges(String value, String expected) {
    assertThat(text(ByteRange.parse(value, SIZE))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes=",
        "bytes=,",
        "bytes=-",
        "bytes=a-b",
        "bytes=1",
        "bytes=2-1",
        "bytes=1-2-3",
        "bytes=--1",
        "bytes=+1-2",
        "bytes=1 -2",
        "bytes=0x1-2",
        "items=0-1",
        "bytes:0-1",
        "bytes=1-2;5-6",
        "bytes=1-2,x",
        "bytes=\u0661-\u0662",
        "bytes =0-1"
      })
  void ignoresWhatIsMalformed(String value) {
    assertThat(ByteRange.parse(value, SIZE)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bytes=1000-", "bytes=1000-2000", "bytes=-0", "bytes=9999999999999999999-"})
  void findsNoneThatCanBeSatisfied(String value) {
    assertThat(ByteRange.parse(value, SIZE)).isEmpty();
  }

  @Test
  void ignoresMoreRangesThanTheLimit() {
    String most = "bytes=" + "1-2,".repeat(ByteRange.RANGES_MAX - 1) + "9-9";
    assertThat(text(ByteRange.parse(most, SIZE))).isEqualTo("1-3 9-10");
    assertThat(ByteRange.parse(most + ",11-11", SIZE)).isNull();
  }

  @Test
  void neverSendsAByteTwice() {
    for (int step = 1; step < 60; step += 7) {
      StringBuilder value = new StringBuilder("bytes=");
      for (int i = ByteRange.RANGES_MAX - 1; i > 0; i--) {
        value.append(i * step).append('-').append(i * step + 30).append(',');
      }
      List<ByteRange> ranges = ByteRange.parse(value.toString(), SIZE);
      assertThat(Objects.requireNonNull(ranges).stream().mapToLong(ByteRange::bytes).sum())
          .isLessThanOrEqualTo(SIZE);
    }
  }

  @Test
  void hasNoBytesOfAnEmptyFile() {
    assertThat(ByteRange.parse("bytes=0-", 0)).isEmpty();
    assertThat(ByteRange.parse("bytes=-5", 0)).isEmpty();
  }

  private static String text(@Nullable List<ByteRange> ranges) {
    return ranges == null
        ? "ignored"
        : String.join(" ", ranges.stream().map(range -> range.from() + "-" + range.to()).toList());
  }
}
