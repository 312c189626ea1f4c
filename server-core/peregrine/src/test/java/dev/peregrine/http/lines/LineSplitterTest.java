package dev.peregrine.http.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.HttpException;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LineSplitterTest {
  private static final LineEnd BLANK = LineEnd.of("\n\n");

  /** Returns the lines of pieces, each of which is overwritten after its use. */
  private static List<String> split(LineEnd end, int lineBytesMax, String... pieces) {
    LineSplitter splitter = new LineSplitter(lineBytesMax, end);
    List<String> lines = new ArrayList<>();
    for (String piece : pieces) {
      try (Arena arena = Arena.ofConfined()) {
        byte[] bytes = Requests.bytes("?" + piece + "\n");
        MemorySegment memory = arena.allocate(bytes.length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        splitter.input(memory, 1, bytes.length - 1);
        while (splitter.next()) {
          lines.add(line(splitter));
        }
      }
    }
    if (splitter.last()) {
      lines.add(line(splitter));
    }
    assertThat(splitter.next() || splitter.last()).isFalse();
    return lines;
  }

  private static String line(LineSplitter splitter) {
    long bytes = splitter.lineTo() - splitter.lineFrom();
    byte[] copy =
        splitter.line().asSlice(splitter.lineFrom(), bytes).toArray(ValueLayout.JAVA_BYTE);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }

  /** Checks the lines of a text at every two split points. */
  private static void expect(LineEnd end, String text, String... lines) {
    int longest = 1;
    for (String line : lines) {
      longest = Math.max(longest, line.length());
    }
    for (int i = 0; i <= text.length(); i++) {
      for (int j = i; j <= text.length(); j++) {
        String[] pieces = {text.substring(0, i), text.substring(i, j), text.substring(j)};
        assertThat(split(end, longest, pieces)).as("at %d and %d", i, j).containsExactly(lines);
      }
    }
  }

  @Test
  void findsLinesAtEverySplitPoint() {
    expect(LineEnd.LF, "");
    expect(LineEnd.LF, "\n", "");
    expect(LineEnd.LF, "one line without an end", "one line without an end");
    expect(LineEnd.LF, "one\ntwo\n\nfour\n", "one", "two", "", "four");
    expect(
        LineEnd.LF, "one\r\ntwo\nthr\ree\r\r\n\r\nlast\r", "one", "two", "thr\ree\r", "", "last\r");
  }

  @Test
  void findsPiecesBetweenOtherEndsAtEverySplitPoint() {
    expect(LineEnd.of("\0"), "one\0two\r\0", "one", "two\r");
    expect(BLANK, "one\n\n\ntwo\n\n\n\n\nfive", "one", "\ntwo", "", "\nfive");
    expect(
        LineEnd.of("\r\n\r\n"), "a\r\n\r\r\n\r\nb\n\r\n\r\nc\r\n\r", "a\r\n\r", "b\n", "c\r\n\r");
    expect(LineEnd.of("aab"), "aaabxaab", "a", "x");
  }

  @Test
  void findsLinesInRandomPieces() {
    Seeds.each(
        200,
        random -> {
          StringBuilder text = new StringBuilder();
          List<String> lines = new ArrayList<>();
          for (int i = 0; i < 20; i++) {
            String line = "x".repeat(random.nextInt(random.nextBoolean() ? 10 : 300));
            lines.add(line);
            text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
          }
          List<String> pieces = new ArrayList<>();
          for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(200));
            pieces.add(text.substring(from, to));
            from = to;
          }
          assertThat(split(LineEnd.LF, 300, pieces.toArray(String[]::new))).isEqualTo(lines);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "", "\n\n"})
  void rejectsLinesAboveTheLimitAtEverySplitPoint(String after) {
    int lineBytesMax = 5;
    LineEnd end = after.equals("\n\n") ? BLANK : LineEnd.LF;
    String fits = "12345" + after;
    String tooLong = "123456" + after;
    for (int i = 0; i <= fits.length(); i++) {
      assertThat(split(end, lineBytesMax, fits.substring(0, i), fits.substring(i)))
          .containsExactly("12345");
    }
    for (int i = 0; i <= tooLong.length(); i++) {
      String[] pieces = {tooLong.substring(0, i), tooLong.substring(i)};
      assertThatThrownBy(() -> split(end, lineBytesMax, pieces))
          .isInstanceOfSatisfying(
              HttpException.class, thrown -> assertThat(thrown.status()).isEqualTo(413))
          .hasMessageContaining("a line of more than 5 bytes");
    }
  }

  /** A line is rejected before its end arrives: no more of it is kept. */
  @Test
  void keepsNoMoreThanTheLimit() {
    LineSplitter splitter = new LineSplitter(1000, LineEnd.LF);
    MemorySegment piece = MemorySegment.ofArray(Requests.bytes("x".repeat(1001)));
    splitter.input(piece, 0, 1001);
    assertThat(splitter.next()).isFalse(); // the last byte might be a CR
    splitter.input(piece, 0, 1);

    assertThatThrownBy(splitter::next).isInstanceOf(HttpException.class);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "1073741824, true", "1073741825, false"})
  void checksTheLimit(int lineBytesMax, boolean valid) {
    if (valid) {
      assertThat(new LineSplitter(lineBytesMax, LineEnd.LF).next()).isFalse();
    } else {
      assertThatThrownBy(() -> new LineSplitter(lineBytesMax, LineEnd.LF))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "64, true", "65, false"})
  void checksTheLengthOfAnEnd(int bytes, boolean valid) {
    if (valid) {
      assertThat(LineEnd.of(new byte[bytes]).length()).isEqualTo(bytes);
    } else {
      assertThatThrownBy(() -> LineEnd.of(new byte[bytes]))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
