package dev.peregrine.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EntityTagsTest {
  /** The table of RFC 9110 section 8.8.3.2. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "W/\"1\", W/\"1\", false, true",
        "W/\"1\", W/\"2\", false, false",
        "W/\"1\", \"1\", false, true",
        "\"1\", W/\"1\", false, true",
        "\"1\", \"1\", true, true"
      })
  void comparesAsTheTableOfTheRfc(String asked, String tag, boolean strongly, boolean weakly) {
    assertThat(EntityTags.matchStrongly(List.of(asked), tag)).isEqualTo(strongly);
    assertThat(EntityTags.matchWeakly(List.of(asked), tag)).isEqualTo(weakly);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a\"",
        "\"b\",\"a\"",
        "\"b\" , \"a\"",
        ",,\"a\"",
        "\"b,\" ,\"a\"",
        "\"a\",x",
        "*"
      })
  void findsATagInAList(String list) {
    assertThat(EntityTags.matchStrongly(List.of("\"x\"", list), "\"a\"")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "\"a", "a\"", "\"aa\"", "\"\"", "\"b,a\"", "w/\"a\"", "W/", "W/\"", "**"})
  void findsNoTagInOtherText(String list) {
    assertThat(EntityTags.matchWeakly(List.of(list), "\"a\"")).isFalse();
  }

  @Test
  void takesAnyForTheStar() {
    assertThat(EntityTags.matchStrongly(List.of("*"), "W/\"a\"")).isTrue();
  }
}
