package dev.peregrine.parser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heads of the form that each parser takes at once, with single bytes changed. */
class CommonHeadTest {
  private static final String HEAD =
      """
      POST /upload HTTP/1.1
      Host: h.example:80
      Content-Length: 5
      X-Long-Name.1: a value of more than forty bytes, read by words
      X: y

      """
          .replace("\n", "\r\n");

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyByteInEveryPlaceHasTheSameOutcomeAsByteByByte(ParserVariant variant) {
    RequestParser reference = ParserVariant.reference().strict();
    RequestParser parser = variant.strict();
    byte[] head = Segments.latin1(HEAD);
    for (int place = 0; place < head.length; place++) {
      byte usual = head[place];
      for (int value = 0; value < 256; value++) {
        head[place] = (byte) value;
        assertThat(Feeding.whole(parser, head))
            .as("0x%02x at %d", value, place)
            .isEqualTo(Feeding.whole(reference, head));
      }
      head[place] = usual;
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void namesAndValuesOfEveryLengthAreTheSameAsByteByByte(ParserVariant variant) {
    RequestParser reference = ParserVariant.reference().strict();
    RequestParser parser = variant.strict();
    for (int name = 0; name <= 40; name++) {
      for (int value = 0; value <= 90; value++) {
        String line = "n".repeat(name) + ":" + "v".repeat(value) + "\r\n";
        byte[] head = Segments.latin1("GET / HTTP/1.1\r\nHost: h\r\n" + line + line + "\r\n");
        assertThat(Feeding.whole(parser, head)).isEqualTo(Feeding.whole(reference, head));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void aLengthOfEveryNumberOfDigitsIsReadOrRejected(ParserVariant variant) {
    RequestParser parser = variant.strict();
    for (int digits = 1; digits <= 18; digits++) {
      String length = "9".repeat(digits);
      byte[] head =
          Segments.latin1("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n");
      Outcome outcome = Feeding.whole(parser, head);
      assertThat(requireNonNull(outcome.accepted()).contentLength())
          .isEqualTo(Long.parseLong(length));
    }
  }
}
