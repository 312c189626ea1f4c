package dev.peregrine.parser.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The search for a perfect hash of names. */
@Timeout(300) // of a search that never ends
final class NameTableTest {
  @ParameterizedTest
  @CsvSource({"x-first-token, x-other-token", "Host, host", "te, TE", "a-match, b-Match"})
  void rejectsNamesThatItsHashCannotTellApart(String first, String second) {
    List<String> names = List.of("accept", first, "cookie", second);

    assertThatThrownBy(() -> new NameTable(names))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll('"' + first + '"', '"' + second + '"', "last 5 bytes");
  }

  @Test
  void takesNamesThatDifferInLengthOnly() {
    assertThat(new NameTable(List.of("a-token", "bb-token", "token"))).isNotNull();
  }
}
