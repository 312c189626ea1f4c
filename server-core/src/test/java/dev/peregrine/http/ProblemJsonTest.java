package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProblemJsonTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "plain, plain",
        "`\"quoted\" \\`, `\\\"quoted\\\" \\\\`",
        "`\t\n`, `\\u0009\\u000a`",
        "ü€😀, ü€😀",
        "</script>, </script>",
      })
  void escapesTheDetail(String detail, String json) {
    assertThat(ProblemJson.of(new HttpError(499, "T", detail, null, null)))
        .isEqualTo("{\"title\":\"T\",\"status\":499,\"detail\":\"" + json + "\"}\n");
  }

  @ParameterizedTest
  @CsvSource({"D83D, \\ud83d", "DE00, \\ude00", "0000, \\u0000", "001f, \\u001f"})
  void escapesWhatUtf8CannotHave(String unit, String json) {
    String detail = "a" + (char) Integer.parseInt(unit, 16) + "b";

    assertThat(ProblemJson.of(new HttpError(500, "T", detail, null, null)))
        .contains("\"a" + json + "b\"");
  }
}
