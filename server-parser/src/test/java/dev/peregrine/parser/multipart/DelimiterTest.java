package dev.peregrine.parser.multipart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.parser.Allocations;
import dev.peregrine.parser.GuardedPage;
import dev.peregrine.parser.Segments;
import dev.peregrine.parser.vector.VectorSupport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The search with and without vectors, in both kinds of memory, against a plain one. */
class DelimiterTest {
  private static final long SEED = 2046;
  private static final boolean VECTORS = VectorSupport.problem() == null;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "0123456789012345678901234567890123456789012345678901234567890123456789",
        "'()+_,-./:=?",
        "inner space",
        "----WebKitFormBoundaryAbCdEfGh01234567"
      })
  void acceptsBoundaries(String boundary) {
    assertThat(Delimiter.isBoundary(boundary)).isTrue();
    Delimiter delimiter = new Delimiter(boundary);
    assertThat(delimiter.length()).isEqualTo(4 + boundary.length());
    assertThat(delimiter.segment().toArray(ValueLayout.JAVA_BYTE))
        .isEqualTo(Segments.latin1("\r\n--" + boundary));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "01234567890123456789012345678901234567890123456789012345678901234567890",
        "space at the end ",
        "a\r",
        "a\nb",
        "a\"b",
        "a;b",
        "a@b",
        "a[b",
        "a`b",
        "a{b",
        "\u00e4",
        "\u0141"
      })
  void rejectsOtherTexts(String text) {
    assertThat(Delimiter.isBoundary(text)).isFalse();
    assertThatThrownBy(() -> new Delimiter(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void findsADelimiterAtEveryIndexOfEveryRange() {
    findEverywhere();
  }

  private static void findEverywhere() {
    for (int before = 0; before < 400; before++) {
      byte[] content = Segments.latin1("x".repeat(before) + "\r\n--bound" + "y".repeat(300));
      for (int to = before; to <= content.length; to += to < before + 9 ? 1 : 97) {
        find("bound", content, 0, to);
      }
    }
  }

  @Test
  void findsTheBeginningOfADelimiterAtTheEnd() {
    Delimiter delimiter = new Delimiter("bound");
    byte[] content = Segments.latin1("x".repeat(200) + "\r\n--bound");
    MemorySegment bytes = Segments.exact(content);

    for (int to = 200; to <= content.length; to++) {
      assertThat(delimiter.indexOf(bytes, 0, to)).isEqualTo(200);
    }
    assertThat(delimiter.matching(bytes, 204, content.length, 4)).isEqualTo(5);
    assertThat(delimiter.matching(bytes, 203, content.length, 4)).isZero();
    assertThat(delimiter.matching(bytes, 200, 203, 0)).isEqualTo(3);
  }

  /** Pieces of delimiters in random order, so that most of the content nearly is one. */
  @Test
  void agreesWithAPlainSearchInContentThatIsNearlyADelimiter() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 3_000; round++) {
      String boundary = "-".repeat(random.nextInt(4)) + "b".repeat(1 + random.nextInt(66));
      String delimiter = "\r\n--" + boundary;
      StringBuilder content = new StringBuilder();
      int length = random.nextInt(900);
      while (content.length() < length) {
        switch (random.nextInt(6)) {
          case 0 -> content.append(delimiter, 0, random.nextInt(delimiter.length()));
          case 1 ->
              content.append(delimiter, random.nextInt(delimiter.length()), delimiter.length());
          case 2 -> content.append('\r');
          case 3 -> content.append("x".repeat(random.nextInt(200)));
          case 4 -> content.append("\r--");
          default -> content.append((char) random.nextInt(256));
        }
      }
      if (random.nextInt(3) == 0) {
        content.append(delimiter);
      }
      byte[] bytes = Segments.latin1(content.toString());
      int from = random.nextInt(bytes.length + 1);
      find(boundary, bytes, from, from + random.nextInt(bytes.length - from + 1));
      find(boundary, bytes, 0, bytes.length);
    }
  }

  private static void find(String boundary, byte[] content, int from, int to) {
    long expected = findPlainly(Segments.latin1("\r\n--" + boundary), content, from, to);
    MemorySegment exact = Segments.exact(content);
    MemorySegment array = MemorySegment.ofArray(content);
    Delimiter words = new Delimiter(boundary);
    assertThat(words.indexOf(exact, from, to)).isEqualTo(expected);
    assertThat(words.indexOf(array, from, to)).isEqualTo(expected);
    if (VECTORS) {
      Delimiter vectors = new Delimiter(boundary, true);
      assertThat(vectors.indexOf(exact, from, to)).isEqualTo(expected);
      assertThat(vectors.indexOf(array, from, to)).isEqualTo(expected);
      assertThat(vectors.indexOf(exact.asReadOnly(), from, to)).isEqualTo(expected);
    }
  }

  private static long findPlainly(byte[] delimiter, byte[] content, int from, int to) {
    for (int at = from; at < to; at++) {
      int count = Math.min(delimiter.length, to - at);
      if (Arrays.equals(delimiter, 0, count, content, at, at + count)) {
        return at;
      }
    }
    return to;
  }

  @Test
  void rejectsRangesOutsideOfTheContent() {
    Delimiter delimiter = new Delimiter("bound");
    MemorySegment bytes = Segments.exact(new byte[10]);
    for (long[] range : new long[][] {{-1, 5}, {0, 11}, {6, 5}, {11, 11}}) {
      assertThatThrownBy(() -> delimiter.indexOf(bytes, range[0], range[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> delimiter.matching(bytes, range[0], range[1], 0))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void rejectsMemoryThatWasFreed() {
    Delimiter delimiter = new Delimiter("bound");
    MemorySegment freed;
    try (Arena arena = Arena.ofConfined()) {
      freed = arena.allocate(500);
    }
    assertThatThrownBy(() -> delimiter.indexOf(freed, 0, 500))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void allocatesNothing() {
    Delimiter delimiter = new Delimiter("bound");
    MemorySegment content = Segments.exact(Segments.latin1("\r\n--boun\r".repeat(1000)));
    assertThat(
            Allocations.whenCompiled(
                () -> assertFound(delimiter.indexOf(content, 0, content.byteSize()), content)))
        .isZero();
  }

  private static void assertFound(long index, MemorySegment content) {
    if (index != content.byteSize() - 1) {
      throw new AssertionError(index);
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void loadsNothingAfterTheContent() {
    assumeTrue(VECTORS, "no vectors");
    Delimiter delimiter = new Delimiter("bound", true);
    GuardedPage page = new GuardedPage();
    for (int length = 1; length < 600; length++) {
      MemorySegment content = page.atEnd(new byte[length]);
      assertThat(delimiter.indexOf(content, 0, length)).isEqualTo(length);
    }
  }

  @Test
  void usesVectorsOnceTheyAreCompiled() {
    boolean before = DelimiterVectors.isWarm();
    assertThat(DelimiterVectors.warmUp(() -> true)).isEqualTo(before);
    assertThat(DelimiterVectors.warmUp(() -> false)).isEqualTo(DelimiterVectors.isAvailable());
    assertThat(DelimiterVectors.isWarm()).isEqualTo(DelimiterVectors.isAvailable());

    findEverywhere();
  }
}
