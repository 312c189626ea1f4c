package dev.peregrine.http.route;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.Handler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
  private static final Handler HANDLER = (request, response) -> response.send();

  private final Routes.Builder builder = Routes.builder();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "users",
        "/a//b",
        "//",
        "/a/./b",
        "/..",
        "/a/*/b",
        "/a*",
        "/{}",
        "/{a",
        "/a}",
        "/{a}x",
        "/x{a}",
        "/{a b}",
        "/{1}",
        "/{a}/{a}",
        "/a%20b",
        "/a?b",
        "/a#b",
        "/a\nb",
        "/\uD800",
      })
  void rejectsTextThatIsNotATemplate(String template) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.get(template, HANDLER))
        .withMessageContaining("template");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET ", "G\nET", "CONNECT"})
  void rejectsTextThatIsNotAMethod(String method) {
    assertThatIllegalArgumentException().isThrownBy(() -> builder.route(method, "/", HANDLER));
  }

  @ParameterizedTest
  @CsvSource({
    "/a, /a, two routes for GET on /a",
    "/{a}, /{a}, two routes for GET on /{a}",
    "/{a}, /{b}, /{b} and /{a} match the same path",
    "/x/{a}/y/*, /x/{b}/y/*, match the same path",
  })
  void rejectsTwoRoutesForTheSamePaths(String one, String other, String message) {
    builder.get(one, HANDLER);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.get(other, HANDLER))
        .withMessageContaining(message);
  }

  @Test
  void rejectsTwoHandlersForAnyMethod() {
    builder.mount("/a", HANDLER);

    assertThatIllegalArgumentException().isThrownBy(() -> builder.any("/a/*", HANDLER));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.mount("/a", HANDLER));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.get("/a", HANDLER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a/", "/a/*", "", "a"})
  void rejectsAMountOnTextThatIsNotAPrefix(String prefix) {
    assertThatIllegalArgumentException().isThrownBy(() -> builder.mount(prefix, HANDLER));
  }

  @Test
  void rejectsRoutesWithoutARoute() {
    assertThatIllegalStateException().isThrownBy(builder::build);
  }
}
