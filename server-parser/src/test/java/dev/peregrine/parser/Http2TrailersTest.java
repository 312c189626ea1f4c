package dev.peregrine.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.parser.hpack.DecodedFields;
import dev.peregrine.protocol.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trailer sections of HTTP/2 (RFC 9113 section 8.1). */
class Http2TrailersTest {
  private final List<String> taken = new ArrayList<>();

  @Test
  void takesNamesAndValuesInTheirOrder() {
    assertThat(read(Http2Fields.of("x-check: 1", "grpc-status: 0", "x-check: \u00e9"))).isNull();

    assertThat(taken).containsExactly("x-check", "1", "grpc-status", "0", "x-check", "\u00e9");
  }

  @Test
  void dropsFieldsThatATrailerSectionMustNotHave() {
    assertThat(read(Http2Fields.of("content-length: 1", "x-check: 1", "host: a", "te: b")))
        .isNull();

    assertThat(taken).containsExactly("x-check", "1");
  }

  @ParameterizedTest
  @CsvSource({
    ":path: /, PSEUDO_FIELD_IN_TRAILERS",
    ":status: 200, PSEUDO_FIELD_IN_TRAILERS",
    "a B: c, FIELD_NAME_INVALID",
    "connection: close, CONNECTION_FIELD",
    "transfer-encoding: chunked, CONNECTION_FIELD",
    "upgrade: a, CONNECTION_FIELD"
  })
  void rejectsFieldsThatNoSectionCanHave(String field, Rejection rejection) {
    assertThat(read(Http2Fields.of("a: b", field))).isEqualTo(rejection);
  }

  @Test
  void limitsTheNumberOfFields() {
    var limits = ParserLimits.builder().trailerFieldsMax(2).build();

    assertThat(read(Http2Fields.of("a: b"), limits)).isNull();
    assertThat(read(Http2Fields.of("a: b", "c: d"), limits)).isNull();
    assertThat(read(Http2Fields.of("a: b", "c: d", "e: f"), limits))
        .isEqualTo(Rejection.TOO_MANY_TRAILERS);
  }

  @Test
  void limitsTheSizeOfTheFieldsAsLinesOfHttp1() {
    int size = "a: bc\r\nd: \r\n".length();
    for (int max = size - 1; max <= size + 1; max++) {
      var limits = ParserLimits.builder().trailerBytesMax(max).build();

      assertThat(read(Http2Fields.of("a: bc", "d: "), limits))
          .isEqualTo(max >= size ? null : Rejection.TRAILER_SECTION_TOO_LARGE);
    }
  }

  @Test
  void rejectsASectionThatTheDecoderFoundTooLarge() {
    var fields = Http2Fields.of("a: b", "c: d").decoded(new DecodedFields(1000, 1));

    assertThat(
            new Http2HeadReader(ParserLimits.DEFAULT, Set.of(), false).readTrailers(fields, taken))
        .isEqualTo(Rejection.TRAILER_SECTION_TOO_LARGE);
  }

  private @Nullable Rejection read(Http2Fields fields) {
    return read(fields, ParserLimits.DEFAULT);
  }

  private @Nullable Rejection read(Http2Fields fields, ParserLimits limits) {
    taken.clear();
    return new Http2HeadReader(limits, Set.of(), false).readTrailers(fields.decoded(), taken);
  }
}
