package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The grammar of {@code traceparent} (W3C Trace Context section 3.2). */
final class TraceparentTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";

  private static Traceparent parse(String value) {
    return Objects.requireNonNull(Traceparent.parse(value));
  }

  @Test
  void readsTheIdsAndTheFlags() {
    assertThat(parse("00-" + TRACE + "-" + SPAN + "-00"))
        .isEqualTo(new Traceparent(TRACE, SPAN, false, false));
    assertThat(parse("00-" + TRACE + "-" + SPAN + "-01"))
        .isEqualTo(new Traceparent(TRACE, SPAN, true, false));
    assertThat(parse("00-" + TRACE + "-" + SPAN + "-02"))
        .isEqualTo(new Traceparent(TRACE, SPAN, false, true));
    assertThat(parse("00-" + TRACE + "-" + SPAN + "-fd"))
        .isEqualTo(new Traceparent(TRACE, SPAN, true, false));
  }

  @Test
  void readsTheKnownPartOfLaterVersions() {
    for (String later : new String[] {"01-%s-%s-01", "cc-%s-%s-01-what-follows", "fe-%s-%s-01-"}) {
      assertThat(parse(later.formatted(TRACE, SPAN)))
          .isEqualTo(new Traceparent(TRACE, SPAN, true, false));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00F067AA0BA902B7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0A",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-011",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01x",
        "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      })
  void rejectsEverythingElse(String value) {
    assertThat(Traceparent.parse(value)).isNull();
  }

  @Test
  void rejectsEveryPrefix() {
    String whole = "01-" + TRACE + "-" + SPAN + "-01";
    for (int length = 0; length < whole.length(); length++) {
      assertThat(Traceparent.parse(whole.substring(0, length))).isNull();
    }
  }

  @Test
  void writesTheField() {
    assertThat(new Traceparent(TRACE, SPAN, true, true))
        .hasToString("00-" + TRACE + "-" + SPAN + "-03");
    assertThatThrownBy(() -> new Traceparent(TRACE, SPAN + "0", true, true))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Traceparent("0".repeat(32), SPAN, true, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
