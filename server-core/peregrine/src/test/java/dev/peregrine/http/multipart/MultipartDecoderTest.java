package dev.peregrine.http.multipart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.multipart.DecodedMultipart.Kind;
import dev.peregrine.http.multipart.MultipartDecoder.Event;
import dev.peregrine.parser.multipart.Delimiter;
import dev.peregrine.parser.multipart.DelimiterVectors;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class MultipartDecoderTest {
  private static final long SEED = 7578;
  private static final String BOUNDARY_CHARACTERS = "aAzZ09'()+_,-./:=? ";

  @BeforeAll
  static void useVectors() {
    DelimiterVectors.warmUp(() -> false);
  }

  @Test
  void takesTheSeedsApartAtEverySplit() {
    for (byte[] seed : MultipartTarget.seeds()) {
      String text = new String(seed, StandardCharsets.ISO_8859_1);
      List<String> expected = PlainMultipart.read(text, "b", MultipartLimits.DEFAULTS);
      assertThat(expected.getLast()).as(text).isEqualTo("end");
      for (int split = 0; split <= seed.length; split++) {
        byte[] first = Arrays.copyOf(seed, split);
        byte[] second = Arrays.copyOfRange(seed, split, seed.length);
        for (Kind kind : Kind.values()) {
          assertThat(
                  DecodedMultipart.read(
                      List.of(first, second), "b", MultipartLimits.DEFAULTS, kind))
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void rejectsEveryPrefixThatLacksTheLastBoundary() {
    for (byte[] seed : MultipartTarget.seeds()) {
      String text = new String(seed, StandardCharsets.ISO_8859_1);
      int end = text.lastIndexOf("--b--") + 5;
      for (int length = 0; length < end; length++) {
        assertThat(
                DecodedMultipart.read(
                        List.of(Arrays.copyOf(seed, length)),
                        "b",
                        MultipartLimits.DEFAULTS,
                        Kind.ARRAY)
                    .getLast())
            .isEqualTo("400");
      }
    }
  }

  @Test
  void givesTheSameFailureAtEverySplitOfContentThatIsTooLarge() {
    for (byte[] seed : MultipartTarget.seeds()) {
      for (int max = 0; max < seed.length; max++) {
        MultipartLimits limits = MultipartLimits.builder().contentBytesMax(max).build();
        List<String> whole = DecodedMultipart.read(List.of(seed), "b", limits, Kind.ARRAY);
        assertThat(whole.getLast()).isEqualTo("413");
        for (int split = 0; split <= seed.length; split++) {
          byte[] first = Arrays.copyOf(seed, split);
          byte[] second = Arrays.copyOfRange(seed, split, seed.length);
          assertThat(DecodedMultipart.read(List.of(first, second), "b", limits, Kind.ARRAY))
              .isEqualTo(whole);
        }
      }
    }
  }

  /** Random boundaries, and contents of beginnings and ends of their delimiters. */
  @Test
  void agreesWithAPlainReaderInContentThatIsNearlyADelimiter() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 1_000; round++) {
      String boundary = boundary(random);
      String delimiter = "\r\n--" + boundary;
      StringBuilder text = new StringBuilder(start(delimiter, random));
      int parts = random.nextInt(4);
      for (int part = 0; part < parts; part++) {
        text.append("\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n");
        addContent(text, delimiter, random);
        text.append(delimiter);
      }
      text.append(random.nextInt(10) == 0 ? "-" : "--");
      addContent(text, delimiter, random);
      MultipartTarget.check(text.toString(), boundary);
    }
  }

  private static String start(String delimiter, SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> "p";
      case 1 -> delimiter.substring(2, 2 + random.nextInt(delimiter.length() - 2)) + "_";
      case 2 -> delimiter;
      default -> delimiter.substring(2);
    };
  }

  private static String boundary(SplittableRandom random) {
    StringBuilder boundary = new StringBuilder();
    int length = 1 + random.nextInt(Delimiter.BOUNDARY_BYTES_MAX);
    for (int i = 0; i < length; i++) {
      boundary.append(BOUNDARY_CHARACTERS.charAt(random.nextInt(BOUNDARY_CHARACTERS.length() - 1)));
    }
    return boundary.toString();
  }

  private static void addContent(StringBuilder text, String delimiter, SplittableRandom random) {
    int pieces = random.nextInt(6);
    for (int i = 0; i < pieces; i++) {
      switch (random.nextInt(6)) {
        case 0 -> text.append(delimiter, 0, random.nextInt(delimiter.length()));
        case 1 -> text.append(delimiter, random.nextInt(delimiter.length()), delimiter.length());
        case 2 -> text.append("\r\n");
        case 3 -> text.append("\r--".repeat(random.nextInt(80)));
        case 4 -> text.append("x".repeat(random.nextInt(300)));
        default -> text.append((char) random.nextInt(256));
      }
    }
  }

  @Test
  void copiesNoContent() {
    byte[] content =
        "--b\r\nContent-Disposition: form-data; name=n\r\n\r\ncontent\r\n--b--"
            .getBytes(StandardCharsets.US_ASCII);
    MemorySegment input = MemorySegment.ofArray(content);
    MultipartDecoder decoder = new MultipartDecoder(new Delimiter("b"), MultipartLimits.DEFAULTS);
    decoder.input(input, 0, content.length);

    assertThat(decoder.next()).isEqualTo(Event.PART);
    assertThat(decoder.head().name()).isEqualTo("n");
    assertThat(decoder.next()).isEqualTo(Event.DATA);
    assertThat(decoder.data()).isSameAs(input);
    assertThat(decoder.dataTo() - decoder.dataFrom()).isEqualTo(7);
    assertThat(decoder.next()).isEqualTo(Event.PART_END);
    assertThat(decoder.next()).isEqualTo(Event.MORE);
    decoder.end();
  }

  @Test
  void staysRejectedAfterAFailure() {
    MultipartDecoder decoder = new MultipartDecoder(new Delimiter("b"), MultipartLimits.DEFAULTS);
    byte[] content = "--bx--b--".getBytes(StandardCharsets.US_ASCII);
    decoder.input(MemorySegment.ofArray(content), 0, content.length);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(decoder::next)
          .isInstanceOf(HttpException.class)
          .hasMessage("multipart content: bytes after a boundary");
    }
    assertThatThrownBy(decoder::end).isInstanceOf(HttpException.class);
  }
}
