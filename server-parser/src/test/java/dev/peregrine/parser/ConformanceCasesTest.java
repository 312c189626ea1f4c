package dev.peregrine.parser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.protocol.Rejection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The request heads judged from the RFCs. They judge only syntax, so a rejection for the meaning of
 * a target or a framing field is as correct as acceptance.
 */
class ConformanceCasesTest {
  private static final Set<Rejection> BEYOND_SYNTAX =
      EnumSet.of(
          Rejection.TARGET_CHARACTER_INVALID,
          Rejection.TARGET_ENCODING_INVALID,
          Rejection.TARGET_FORM_INVALID,
          Rejection.TARGET_AUTHORITY_INVALID,
          Rejection.TARGET_USERINFO,
          Rejection.TARGET_MISDIRECTED,
          Rejection.HOST_MISSING,
          Rejection.HOST_REPEATED,
          Rejection.HOST_INVALID,
          Rejection.HOST_MISDIRECTED,
          Rejection.CONTENT_LENGTH_INVALID,
          Rejection.CONTENT_LENGTH_REPEATED,
          Rejection.CONTENT_LENGTH_WITH_TRANSFER_ENCODING,
          Rejection.TRANSFER_ENCODING_INVALID,
          Rejection.TRANSFER_ENCODING_NOT_CHUNKED_LAST,
          Rejection.TRANSFER_ENCODING_IN_HTTP_1_0,
          Rejection.TRANSFER_CODING_UNKNOWN,
          Rejection.EXPECTATION_UNKNOWN);

  static List<ParserVariant> variants() {
    return ParserVariant.all();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void judgesEveryHeadAsTheCasesDo(ParserVariant variant) throws IOException {
    var mismatches = new ArrayList<String>();
    for (Map<String, @Nullable Object> testCase : SharedCases.read("parser_cases.json")) {
      byte[] raw = SharedCases.bytes(testCase, "raw_b64");
      Outcome outcome = Feeding.whole(variant.strict(), raw);
      if (!agrees(testCase, outcome)) {
        mismatches.add(SharedCases.text(testCase, "id") + ": " + outcome);
      }
      assertThat(Feeding.byteByByte(variant.strict(), raw)).isEqualTo(outcome);
    }
    assertThat(mismatches).isEmpty();
  }

  private static boolean agrees(Map<String, @Nullable Object> testCase, Outcome outcome) {
    boolean refused = outcome.result() == RequestParser.REJECTED;
    return switch (SharedCases.text(testCase, "expect")) {
      case "accept" ->
          refused
              ? BEYOND_SYNTAX.contains(outcome.rejection())
              : isAsListed(testCase, requireNonNull(outcome.accepted()));
      case "reject" -> refused;
      case "either" -> refused || isAsListed(testCase, requireNonNull(outcome.accepted()));
      case "incomplete" -> outcome.result() <= 0;
      default -> throw new AssertionError(testCase);
    };
  }

  private static boolean isAsListed(
      Map<String, @Nullable Object> testCase, Outcome.Accepted accepted) {
    List<List<String>> fields =
        accepted.fields().stream().map(field -> List.of(field.name(), field.value())).toList();
    String version = accepted.version() == HttpVersion.HTTP_1_0 ? "1.0" : "1.1";
    return accepted.methodText().equals(testCase.get("method"))
        && accepted.target().equals(testCase.get("target"))
        && version.equals(testCase.get("version"))
        && fields.equals(SharedCases.pairs(testCase, "headers"));
  }
}
