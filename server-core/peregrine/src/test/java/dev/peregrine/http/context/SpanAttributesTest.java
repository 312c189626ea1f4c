package dev.peregrine.http.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes of spans that need no request. */
final class SpanAttributesTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = "->",
      value = {
        "a=1&b=2 -> a=1&b=2",
        "sig=secret -> sig=REDACTED",
        "a=1&sig=secret&b=sig -> a=1&sig=REDACTED&b=sig",
        "X-Amz-Signature=1&X-Amz-Credential=2&c -> X-Amz-Signature=REDACTED&X-Amz-Credential=REDACTED&c",
        "sig=&sig -> sig=REDACTED&sig",
        "Sig=1&asig=2 -> Sig=1&asig=2",
        "& -> &",
        "sig=1& -> sig=REDACTED&"
      })
  void hidesTheValuesOfSignatures(String query, String redacted) {
    assertThat(SpanAttributes.redact(query)).isEqualTo(redacted);
  }

  @Test
  void errorsAreThoseOfTheServer() {
    assertThat(SpanAttributes.errorType(200, Outcome.COMPLETED)).isNull();
    assertThat(SpanAttributes.errorType(404, Outcome.COMPLETED)).isNull();
    assertThat(SpanAttributes.errorType(503, Outcome.COMPLETED)).isEqualTo("503");
    assertThat(SpanAttributes.errorType(413, Outcome.REJECTED)).isNull();
    assertThat(SpanAttributes.errorType(0, Outcome.REJECTED)).isEqualTo("rejected");
    assertThat(SpanAttributes.errorType(500, Outcome.FAILED)).isEqualTo("failed");
    assertThat(SpanAttributes.errorType(200, Outcome.ABORTED)).isEqualTo("aborted");
  }
}
