package dev.peregrine.parser.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.parser.Allocations;
import dev.peregrine.parser.GuardedPage;
import dev.peregrine.parser.Segments;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** UTF-8 against the decoder of the JDK, which reports every fault. */
class Utf8ValidatorTest {
  /** The bytes at which the rules change, and one between each two of them. */
  private static final int[] BOUNDARIES = {
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
    0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF
  };

  private final ReferenceUtf8 reference = new ReferenceUtf8();
  private final Utf8Validator validator = new Utf8Validator();
  private final MemorySegment scratch = Arena.ofAuto().allocate(80_000);

  @Test
  void agreesOnAllSequencesOfOneToThreeBytes() {
    for (int first = 0; first < 256; first++) {
      agreesAlone((byte) first);
      for (int second = 0; second < 256; second++) {
        agreesAlone((byte) first, (byte) second);
        if (first >= 0xE0) {
          for (int third = 0; third < 256; third++) {
            agreesAlone((byte) first, (byte) second, (byte) third);
          }
        }
      }
    }
  }

  @Test
  void agreesOnSequencesOfFourBoundaryBytesAtEverySplit() {
    for (int first : BOUNDARIES) {
      for (int second : BOUNDARIES) {
        for (int third : BOUNDARIES) {
          for (int fourth : BOUNDARIES) {
            agreesAtEverySplit(bytes(first, second, third, fourth));
          }
        }
      }
    }
  }

  @Test
  void agreesOnEveryCodePoint() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      boolean surrogate =
          codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
      byte[] encoded = encoded(codePoint);
      validator.clear();
      boolean accepted = validator.accept(MemorySegment.ofArray(encoded), 0, encoded.length);
      assertThat(accepted && validator.isComplete()).as("%x", codePoint).isEqualTo(!surrogate);
    }
  }

  @Test
  void failsAtTheFirstImpossibleByteWhereverItIs() {
    String[] starts = {
      "", "a", "abcdefg", "ä", "abcdef€", "abcdefg\uD83D\uDE00", "ä".repeat(40), "x".repeat(150)
    };
    for (String start : starts) {
      for (String wrong :
          new String[] {
            "80",
            "BF",
            "C0",
            "C1",
            "F5",
            "FF",
            "C27F",
            "C2C2",
            "E080",
            "E09F",
            "ED A0",
            "EDBF",
            "F080",
            "F08F",
            "F490",
            "F4BF",
            "E18041",
            "E1BFC2",
            "F1808041",
            "F48FBFFF",
            "EE7F"
          }) {
        failsAtTheLastOf(start, HexFormat.of().parseHex(wrong.replace(" ", "")));
      }
    }
  }

  private void failsAtTheLastOf(String start, byte[] wrong) {
    byte[] before = start.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = Arrays.copyOf(before, before.length + wrong.length);
    System.arraycopy(wrong, 0, bytes, before.length, wrong.length);
    MemorySegment segment = Segments.exact(bytes);
    validator.clear();
    assertThat(validator.accept(segment, 0, bytes.length - 1L)).isTrue();
    assertThat(validator.accept(segment, bytes.length - 1L, bytes.length)).isFalse();
    assertThat(validator.isComplete()).isFalse();
    // it stays invalid, whatever follows
    assertThat(validator.accept(Segments.exact(Segments.latin1("a".repeat(64))), 0, 64)).isFalse();
    assertThat(validator.accept(segment, 0, 0)).isFalse();
    validator.clear();
    byte[] followed = Arrays.copyOf(bytes, bytes.length + 100);
    assertThat(validator.accept(Segments.exact(followed), 0, followed.length)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "The quick brown fox jumps over the lazy dog, and then it jumps back over the dog again",
        "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich; où est le garçon naïf ?",
        "κόσμε γειά σου κόσμε и ещё немного русского текста для проверки длинных строк",
        "视野无限广，窗外有蓝天。いろはにほへと ちりぬるを 키스의 고유조건은",
        "\uD83D\uDE00\uD83D\uDE01x\uD83E\uDD14\uD83D\uDC4D\uD83C\uDFFD\uDBFF\uDFFF \uD800\uDC00"
      })
  void acceptsTextAtEverySplit(String text) {
    byte[] bytes = text.repeat(3).getBytes(StandardCharsets.UTF_8);
    assertThat(reference.isValid(bytes)).isTrue();
    agreesAtEverySplit(bytes);
  }

  @Test
  void agreesOnTextWithOneWrongByteAtAnyPlace() {
    byte[] text = "añ€\uD83D\uDE00".repeat(30).getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < text.length; at++) {
      for (int wrong : BOUNDARIES) {
        byte[] bytes = text.clone();
        bytes[at] = (byte) wrong;
        agrees(bytes, at % 7);
      }
    }
  }

  @Test
  void agreesOnRandomPiecesOfCharacters() {
    var random = new Random(3629);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(100)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] =
            (byte) BOUNDARIES[random.nextInt(random.nextInt(10) == 0 ? BOUNDARIES.length : 3)];
      }
      agrees(bytes, random.nextInt(9));
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the guarded page is made by Linux calls")
  void loadsNoByteOutsideOfTheSegment() {
    var page = new GuardedPage();
    for (String character : new String[] {"a", "ä", "€", "\uD83D\uDE00"}) {
      byte[] text = character.repeat(200).getBytes(StandardCharsets.UTF_8);
      for (int length = 1; length <= 200; length++) {
        byte[] bytes = Arrays.copyOf(text, length);
        for (MemorySegment segment : new MemorySegment[] {page.atEnd(bytes), page.atStart(bytes)}) {
          validator.clear();
          assertThat(validator.accept(segment, 0, length)).isTrue();
          assertThat(validator.isComplete()).isEqualTo(reference.isValid(bytes));
        }
      }
    }
  }

  @Test
  void rejectsRangesOutsideTheSegmentAndMemoryThatIsFreed() {
    MemorySegment bytes = Segments.exact(new byte[64]);
    for (long[] range : new long[][] {{-1, 5}, {0, 65}, {6, 5}, {60, 1L << 40}}) {
      assertThatThrownBy(() -> validator.accept(bytes, range[0], range[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    MemorySegment closed;
    try (Arena arena = Arena.ofConfined()) {
      closed = arena.allocate(64);
    }
    assertThatThrownBy(() -> validator.accept(closed, 0, 64))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void allocatesNothing() {
    MemorySegment text =
        Segments.exact("abcdefghijklmnö€\uD83D\uDE00".repeat(300).getBytes(StandardCharsets.UTF_8));
    assertThat(
            Allocations.whenCompiled(
                () -> {
                  validator.clear();
                  validator.accept(text, 0, 1000);
                  validator.accept(text, 1000, text.byteSize());
                }))
        .isZero();
  }

  @Test
  void vectorsAgreeWithWordsOnSequencesAtAnyPlaceOfLongText() {
    assumeTrue(TextVectors.isAvailable(), "SKIPPED: the VM has no vectors, or no native access");
    String[] fillers = {"a", "ä", "€", "\uD83D\uDE00"};
    var random = new Random(3630);
    for (int round = 0; round < 100_000; round++) {
      byte[] filler = fillers[round % fillers.length].repeat(200).getBytes(StandardCharsets.UTF_8);
      int length = 150 + random.nextInt(50);
      int characterBytes = filler.length / 200;
      int at = random.nextInt(length / characterBytes - 4) * characterBytes;
      for (int i = 0; i < 4; i++) {
        filler[at + i] = (byte) BOUNDARIES[random.nextInt(BOUNDARIES.length)];
      }
      vectorsAgree(filler, length, random.nextInt(length));
    }
  }

  @Test
  void vectorsAgreeWithWordsOnTextWithOneWrongByteAtAnyPlace() {
    assumeTrue(TextVectors.isAvailable(), "SKIPPED: the VM has no vectors, or no native access");
    byte[] text = "añ€\uD83D\uDE00".repeat(40).getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < text.length; at++) {
      for (int wrong : BOUNDARIES) {
        byte[] bytes = text.clone();
        bytes[at] = (byte) wrong;
        vectorsAgree(bytes, bytes.length, at);
        vectorsAgree(bytes, bytes.length, 0);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16_384, 16_391, 16_392, 16_393, 16_400, 32_776, 32_777, 70_000})
  void vectorsAgreeWithWordsOnVeryLongText(int length) {
    assumeTrue(TextVectors.isAvailable(), "SKIPPED: the VM has no vectors, or no native access");
    byte[] text = "ä€\uD83D\uDE00x".repeat(8000).getBytes(StandardCharsets.UTF_8);
    vectorsAgree(text, length, 0);
    for (int at : new int[] {0, 7, 8, 9, 16_383, 16_391, 16_392, length - 2, length - 1}) {
      byte[] bytes = text.clone();
      bytes[Math.min(at, length - 1)] = (byte) 0xFF;
      vectorsAgree(bytes, length, 5);
    }
  }

  private void vectorsAgree(byte[] bytes, int length, int split) {
    MemorySegment segment = scratch.asSlice(0, length);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, length);
    String expected = results(new Utf8Validator(false), segment, split);
    String actual = results(new Utf8Validator(true), segment, split);
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "%s instead of %s, split at %d: %s"
              .formatted(actual, expected, split, HexFormat.of().formatHex(bytes, 0, length)));
    }
  }

  private static String results(Utf8Validator validator, MemorySegment segment, int split) {
    boolean begun = validator.accept(segment, 0, split);
    boolean accepted = validator.accept(segment, split, segment.byteSize());
    // the characters that are left unfinished show by the bytes that can continue them
    boolean continued = validator.accept(MemorySegment.ofArray(new byte[] {(byte) 0x85}), 0, 1);
    return begun + " " + accepted + " " + continued + " " + validator.isComplete();
  }

  @Test
  void wantsVectorsAfterLongTextThatIsNotAscii() {
    MemorySegment ascii = Segments.exact("a".repeat(10_000).getBytes(StandardCharsets.UTF_8));
    MemorySegment text = Segments.exact("ä".repeat(5000).getBytes(StandardCharsets.UTF_8));
    validator.accept(ascii, 0, ascii.byteSize());
    validator.accept(text, 0, 2000);
    assertThat(validator.wantsVectors()).isFalse();
    validator.accept(text, 2000, text.byteSize());
    boolean missing = TextVectors.isAvailable() && !TextVectors.isWarm();
    assertThat(validator.wantsVectors()).isEqualTo(missing);
  }

  private void agreesAlone(byte... bytes) {
    validator.clear();
    boolean accepted = validator.accept(MemorySegment.ofArray(bytes), 0, bytes.length);
    if (accepted != reference.isValidStart(bytes, bytes.length)
        || (accepted && validator.isComplete()) != reference.isValid(bytes)) {
      throw new AssertionError(HexFormat.of().formatHex(bytes));
    }
  }

  private void agreesAtEverySplit(byte[] bytes) {
    for (int split = 0; split <= bytes.length; split++) {
      agrees(bytes, split);
    }
  }

  /** Compares the results of two pieces, of which the first may be the longer one. */
  private void agrees(byte[] bytes, int split) {
    int first = Math.min(split, bytes.length);
    MemorySegment segment = MemorySegment.ofArray(bytes);
    validator.clear();
    boolean begun = validator.accept(segment, 0, first);
    boolean accepted = validator.accept(segment, first, bytes.length);
    if (begun != reference.isValidStart(bytes, first)
        || accepted != reference.isValidStart(bytes, bytes.length)
        || (accepted && validator.isComplete()) != reference.isValid(bytes)) {
      throw new AssertionError("split at " + first + ": " + HexFormat.of().formatHex(bytes));
    }
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** Encodes any code point, also surrogates, which are not valid text. */
  private static byte[] encoded(int codePoint) {
    if (codePoint < 0x80) {
      return bytes(codePoint);
    }
    int last = 0x80 | (codePoint & 0x3F);
    int secondLast = 0x80 | (codePoint >> 6 & 0x3F);
    if (codePoint < 0x800) {
      return bytes(0xC0 | codePoint >> 6, last);
    }
    if (codePoint < 0x1_0000) {
      return bytes(0xE0 | codePoint >> 12, secondLast, last);
    }
    return bytes(0xF0 | codePoint >> 18, 0x80 | (codePoint >> 12 & 0x3F), secondLast, last);
  }
}
