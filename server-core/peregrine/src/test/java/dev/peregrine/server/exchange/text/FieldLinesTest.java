package dev.peregrine.server.exchange.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.PreparedFields;
import dev.peregrine.testing.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldLinesTest {
  private final FieldLines lines = new FieldLines();

  @Test
  void isEmptyAtFirst() {
    assertThat(text()).isEmpty();
    assertThat(lines.has("X")).isFalse();
    lines.remove("X");
    assertThat(text()).isEmpty();
  }

  @Test
  void keepsLinesAsTheyGoOnTheWire() {
    lines.add("A", "1");
    lines.add("Bb", "");
    lines.add("a", "2");

    assertThat(text()).isEqualTo("A: 1\r\nBb: \r\na: 2\r\n");
  }

  @Test
  void replacesAllLinesOfAName() {
    lines.add("A", "1");
    lines.add("B", "2");
    lines.add("a", "3");
    lines.set("A", "4");

    assertThat(text()).isEqualTo("B: 2\r\nA: 4\r\n");
  }

  @Test
  void recognisesWholeNamesInAnyCase() {
    lines.add("X-Name", "B: c");

    assertThat(lines.has("x-nAME")).isTrue();
    assertThat(lines.has("X-Nam")).isFalse();
    assertThat(lines.has("X-Name:")).isFalse();
    assertThat(lines.has("X-Names")).isFalse();
    assertThat(lines.has("-Name")).isFalse();
    assertThat(lines.has("B")).isFalse();
    assertThat(lines.has("@-Name")).isFalse(); // differs in the case bit, but isn't a letter
  }

  @Test
  void tellsNamesOfOneHashApart() {
    lines.add("X-a-Name", "1");

    assertThat(lines.has("X-b-Name")).isFalse();
    assertThat(lines.value("X-b-Name")).isNull();
    assertThat(lines.values("X-b-Name")).isEmpty();
    lines.set("X-b-Name", "2");
    lines.remove("X-c-Name");
    assertThat(text()).isEqualTo("X-a-Name: 1\r\nX-b-Name: 2\r\n");
  }

  @Test
  void findsPreparedFieldsAndThoseOfACopy() {
    lines.add(PreparedFields.of("Etag", "1", "Vary", "2"));
    FieldLines copy = lines.copy();
    lines.reset();

    assertThat(copy.value("ETAG")).isEqualTo("1");
    assertThat(copy.values("vary")).containsExactly("2");
    assertThat(lines.has("vary")).isFalse();
    copy.set(PreparedFields.of("vary", "3"));
    assertThat(copy.values("Vary")).containsExactly("3");
  }

  @Test
  void removesEveryLineOfAName() {
    lines.add("A", "1");
    lines.add("B", "2");
    lines.add("a", "3");
    lines.remove("A");
    assertThat(text()).isEqualTo("B: 2\r\n");
    lines.remove("b");
    assertThat(text()).isEmpty();
  }

  @Test
  void removesAllLinesAtAReset() {
    lines.add("A", "1");
    lines.reset();
    lines.add("B", "2");

    assertThat(text()).isEqualTo("B: 2\r\n");
    assertThat(lines.has("A")).isFalse();
  }

  @Test
  void sendsLatin1AsItIs() {
    lines.add("A", "\u00e9\u00ff\t~");

    assertThat(text()).isEqualTo("A: \u00e9\u00ff\t~\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a\rb",
        "a\nb",
        "a\0b",
        "\u0001",
        "\u001f",
        "\u007f",
        "\u0100",
        "\u010a",
        "\ud83d\ude00"
      })
  void rejectsInvalidValues(String value) {
    expectRefused("Name", value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "a b", "a:", "a\r", "a\nb", "a\0", "\u00e9", "a\u013a", "a/b", "[a]", "a@"
      })
  void rejectsInvalidNames(String name) {
    expectRefused(name, "value");
  }

  @Test
  void namesTheRejectedValueInAMessageOfOneLine() {
    assertThatThrownBy(() -> lines.add("Name", "evil\r\nvalue\u0100"))
        .hasMessageContaining("Name")
        .hasMessageContaining("evil\\u000d\\u000avalue\\u0100")
        .message()
        .doesNotContain("\r", "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length",
        "TRANSFER-ENCODING",
        "trailer",
        "Host",
        "Connection",
        "Set-Cookie"
      })
  void rejectsTrailersThatAreNeededBeforeTheContent(String name) {
    FieldLines.check(name, "value");
    assertThatThrownBy(() -> FieldLines.checkTrailer(name, "value"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name);
    FieldLines.checkTrailer("X-" + name, "value");
  }

  @Test
  void behavesLikeAModel() {
    Seeds.each(
        100,
        random -> {
          lines.reset();
          List<String[]> model = new ArrayList<>();
          for (int i = 0; i < 60; i++) {
            String name = random.nextBoolean() ? "N" : "n" + random.nextInt(4) + "x";
            String value = "v".repeat(random.nextInt(random.nextInt(10) == 0 ? 900 : 9));
            switch (random.nextInt(4)) {
              case 0, 1 -> {
                lines.add(name, value);
                model.add(new String[] {name, value});
              }
              case 2 -> {
                lines.set(name, value);
                model.removeIf(line -> line[0].equalsIgnoreCase(name));
                model.add(new String[] {name, value});
              }
              default -> {
                lines.remove(name);
                model.removeIf(line -> line[0].equalsIgnoreCase(name));
              }
            }
            StringBuilder expected = new StringBuilder();
            model.forEach(line -> expected.append(line[0] + ": " + line[1] + "\r\n"));
            assertThat(text()).isEqualTo(expected.toString());
            assertThat(lines.has(name))
                .isEqualTo(model.stream().anyMatch(line -> line[0].equalsIgnoreCase(name)));
          }
        });
  }

  private void expectRefused(String name, String value) {
    assertThatThrownBy(() -> lines.add(name, value)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> lines.set(name, value)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FieldLines.check(name, value))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(text()).isEmpty();
  }

  private String text() {
    return new String(lines.array(), 0, lines.length(), StandardCharsets.ISO_8859_1);
  }
}
