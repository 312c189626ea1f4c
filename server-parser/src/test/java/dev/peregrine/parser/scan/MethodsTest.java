package dev.peregrine.parser.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The search for a perfect hash of methods. */
@Timeout(300) // of a search that never ends
final class MethodsTest {
  @Test
  void rejectsMethodsThatItsHashCannotTellApart() {
    long[] words = {Methods.wordOf("GET"), Methods.wordOf("PROPGET"), Methods.wordOf("PROPPUT")};

    assertThatThrownBy(() -> Methods.multiplierFor(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("codes 1 and 2 start with the same three bytes");
  }

  @Test
  void tellsMethodsApartByTheirFirstThreeBytes() {
    assertThat(Methods.multiplierFor(Methods.wordOf("PROPGET"), Methods.wordOf("PRIPGET"))).isOdd();
  }
}
