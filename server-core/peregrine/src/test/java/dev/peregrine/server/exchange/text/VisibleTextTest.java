package dev.peregrine.server.exchange.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class VisibleTextTest {
  private static String shown(String text, int charsMax) {
    StringBuilder into = new StringBuilder();
    VisibleText.append(into, text, charsMax);
    return into.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n",
        "\u001b",
        "\u007f",
        "\u0085",
        "\u00ad",
        "\u061c",
        "\u200b",
        "\u200e",
        "\u2028",
        "\u2029",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\ud800",
        "\udb40\udc01"
      })
  void replacesWhatEndsALineOrChangesItsDirectionOrIsNotSeen(String hidden) {
    assertThat(shown("a" + hidden + "b", 10)).isEqualTo("a?b");
  }

  @Test
  void keepsWhatIsSeen() {
    String text = "Zoë 日本 \ud83d\ude00 \u05d0";
    assertThat(shown(text, 100)).isEqualTo(text);
  }

  @Test
  void cutsNoCharacterInTwo() {
    assertThat(shown("abc", 3)).isEqualTo("abc");
    assertThat(shown("abcd", 3)).isEqualTo("abc...");
    assertThat(shown("ab\ud83d\ude00d", 3)).isEqualTo("ab\ud83d\ude00...");
  }
}
