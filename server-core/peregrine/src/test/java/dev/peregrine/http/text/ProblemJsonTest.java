package dev.peregrine.http.text;

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
    assertThat(ProblemJson.of("T", 499, detail))
        .isEqualTo("{\"title\":\"T\",\"status\":499,\"detail\":\"" + json + "\"}\n");
  }

  @ParameterizedTest
  @CsvSource({"D83D, \\ud83d", "DE00, \\ude00", "0000, \\u0000", "001f, \\u001f"})
  void escapesWhatUtf8CannotHave(String unit, String json) {
    String detail = "a" + (char) Integer.parseInt(unit, 16) + "b";

    assertThat(ProblemJson.of("T", 500, detail)).contains("\"a" + json + "b\"");
  }
}
