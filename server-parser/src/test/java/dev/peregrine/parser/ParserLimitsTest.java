package dev.peregrine.parser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.protocol.Rejection;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each limit of a head just met and just exceeded, on every scanner, whole and in pieces. */
class ParserLimitsTest {
  private static final int LINE_MAX = 200;
  private static final int HEADER_MAX = 500;
  private static final int FIELDS_MAX = 7;
  private static final ParserLimits LIMITS =
      ParserLimits.builder()
          .requestLineBytesMax(LINE_MAX)
          .headerBytesMax(HEADER_MAX)
          .fieldsMax(FIELDS_MAX)
          .build();
  private static final String HOST = "Host: a\r\n";

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  static RecordComponent[] limits() {
    return ParserLimits.class.getRecordComponents();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void changesOneLimitAndNoOther(RecordComponent limit) throws Exception {
    String name = limit.getName();
    ParserLimits.Builder builder = ParserLimits.builder();
    ParserLimits.Builder.class.getMethod(name, int.class).invoke(builder, 17);
    ParserLimits changed = builder.build();

    for (RecordComponent each : limits()) {
      Object before = each.getAccessor().invoke(ParserLimits.DEFAULT);
      assertThat(each.getAccessor().invoke(changed))
          .isEqualTo(each.getName().equals(name) ? 17 : before);
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void limitsTheRequestLine(ParserVariant variant) {
    String end = "\r\n" + HOST + "\r\n";
    String least = "GET / HTTP/1.1";
    for (int length = LINE_MAX - 12; length <= LINE_MAX; length++) {
      String path = "p".repeat(length - least.length());
      accepts(variant, "GET /" + path + " HTTP/1.1" + end);
      accepts(variant, "\r\n\r\nGET http://" + path.substring(6) + " HTTP/1.1" + end);
    }
    for (int length = LINE_MAX + 1; length <= LINE_MAX + 70; length++) {
      String path = "p".repeat(length - least.length());
      refuses(variant, "GET /" + path + " HTTP/1.1" + end, Rejection.REQUEST_LINE_TOO_LONG);
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void limitsTheMethodToTheRequestLine(ParserVariant variant) {
    String end = "\r\n" + HOST + "\r\n";
    accepts(variant, "M".repeat(LINE_MAX - " / HTTP/1.1".length()) + " / HTTP/1.1" + end);
    refuses(
        variant, "M".repeat(LINE_MAX - 5) + " / HTTP/1.1" + end, Rejection.REQUEST_LINE_TOO_LONG);
    refuses(variant, "M".repeat(LINE_MAX + 1) + " / HTTP/1.1" + end, Rejection.METHOD_TOO_LONG);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void limitsTheBytesOfTheHeaderSection(ParserVariant variant) {
    String start = "GET / HTTP/1.1\r\n";
    int rest = HEADER_MAX - HOST.length() - "A:\r\n".length();
    accepts(variant, start + HOST + "A:" + "v".repeat(rest) + "\r\n\r\n");
    accepts(variant, start + "A".repeat(rest + 1) + ":\r\n" + HOST + "\r\n");
    for (int more = 1; more < 70; more++) {
      String value = "v".repeat(rest + more);
      refuses(
          variant, start + HOST + "A:" + value + "\r\n\r\n", Rejection.HEADER_SECTION_TOO_LARGE);
      refuses(
          variant,
          start + "A:" + value + "\r\n" + HOST + "\r\n",
          Rejection.HEADER_SECTION_TOO_LARGE);
      refuses(
          variant,
          start + "A" + value + ":\r\n" + HOST + "\r\n",
          Rejection.HEADER_SECTION_TOO_LARGE);
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void rejectsMalformedBytesBeforeTooManyBytes(ParserVariant variant) {
    String value = "v".repeat(HEADER_MAX - HOST.length() - 3);
    refuses(
        variant,
        "GET / HTTP/1.1\r\n" + HOST + "A:" + value + "\u0000",
        Rejection.FIELD_VALUE_INVALID);
    refuses(
        variant,
        "GET / HTTP/1.1\r\n" + HOST + "A:" + value + "v\u0000",
        Rejection.HEADER_SECTION_TOO_LARGE);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void limitsTheFieldLines(ParserVariant variant) {
    String start = "GET / HTTP/1.1\r\n" + HOST;
    accepts(variant, start + "A: b\r\n".repeat(FIELDS_MAX - 1) + "\r\n");
    for (int more = 0; more < 60; more += 7) {
      String lines = "A: b\r\n".repeat(FIELDS_MAX + more);
      refuses(variant, start + lines + "\r\n", Rejection.TOO_MANY_FIELDS);
      refuses(variant, start + lines + "bad line\r\n", Rejection.TOO_MANY_FIELDS);
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void limitsTheEmptyLines(ParserVariant variant) {
    String request = "GET / HTTP/1.1\r\n" + HOST + "\r\n";
    RequestParser strict = variant.with(LIMITS.toBuilder().emptyLinesMax(0).build());
    assertThat(Feeding.whole(strict, Segments.latin1(request)).result()).isPositive();
    assertThat(Feeding.whole(strict, Segments.latin1("\r\n" + request)).rejection())
        .isEqualTo(Rejection.TOO_MANY_EMPTY_LINES);
    refuses(variant, "\r\n".repeat(100_000), Rejection.TOO_MANY_EMPTY_LINES);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void growsToManyFieldsWithinTheLimit(ParserVariant variant) {
    RequestParser parser =
        variant.with(ParserLimits.builder().fieldsMax(5_000).headerBytesMax(1 << 20).build());
    byte[] head =
        Segments.latin1("GET / HTTP/1.1\r\n" + "Name: \tvalue \r\n".repeat(4_999) + HOST + "\r\n");
    Outcome outcome = Feeding.whole(parser, head);
    assertThat(outcome.result()).isEqualTo(head.length);
    assertThat(Feeding.inPieces(parser, head, 1_000, 1_001, 40_000)).isEqualTo(outcome);
  }

  @ParameterizedTest
  @MethodSource("variants")
  void hasRoomForAnyNumberOfFieldsFromTheFirstHeadOn(ParserVariant variant) {
    RequestParser parser = variant.strict();
    for (int count = 0; count < ParserLimits.DEFAULT.fieldsMax(); count++) {
      byte[] head =
          Segments.latin1("GET / HTTP/1.1\r\n" + HOST + "Name: value \r\n".repeat(count) + "\r\n");
      Outcome outcome = Feeding.whole(parser, head);
      assertThat(outcome.result()).isEqualTo(head.length);
      assertThat(requireNonNull(outcome.accepted()).fields()).hasSize(count + 1);
      assertThat(Feeding.inPieces(parser, head, head.length / 2, head.length)).isEqualTo(outcome);
    }
  }

  @Test
  void namesALimitThatIsOutOfRange() {
    assertThatThrownBy(() -> ParserLimits.builder().requestLineBytesMax(11).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("requestLineBytesMax is 11");
    assertThatThrownBy(() -> ParserLimits.builder().fieldsMax(-1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fieldsMax is -1");
  }

  private static void accepts(ParserVariant variant, String text) {
    byte[] head = Segments.latin1(text);
    RequestParser parser = variant.with(LIMITS);
    Outcome whole = Feeding.whole(parser, head);
    assertThat(whole.result()).as(text + whole).isEqualTo(head.length);
    assertThat(Feeding.byteByByte(parser, head)).isEqualTo(whole);
    assertThat(Feeding.inPieces(parser, head, head.length / 3, head.length - 1)).isEqualTo(whole);
  }

  private static void refuses(ParserVariant variant, String text, Rejection reason) {
    byte[] head = Segments.latin1(text);
    RequestParser parser = variant.with(LIMITS);
    Outcome whole = Feeding.whole(parser, head);
    assertThat(whole.rejection()).as(text).isEqualTo(reason);
    assertThat(Feeding.inPieces(parser, head, head.length / 3, head.length - 1)).isEqualTo(whole);
    if (head.length < 1_000) {
      assertThat(Feeding.byteByByte(parser, head)).isEqualTo(whole);
    }
  }
}
