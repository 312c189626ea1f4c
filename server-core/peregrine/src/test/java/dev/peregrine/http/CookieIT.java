package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CookieIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Cookie: id=7                       | 7",
        "Cookie: a=b; id=7; id=8            | 7",
        "Cookie: a=b;id=7                   | 7",
        "Cookie: id=\"7 8\"; a=b            | 7 8",
        "Cookie: id=a=b                     | a=b",
        "Cookie: id=                        | ''",
        "Cookie: id=\"                      | \"",
        "Cookie: ID=7; xid=8; id; idx=9     | null",
        "Cookie: ; ;;=; id = 7 ;            | 7",
        "Cookie: a=\"; id=7\"               | 7\"",
        "X: id=7                            | null",
      })
  void findsACookieByName(String field, String expected) {
    HttpServer server =
        servers.start((request, response) -> response.text("" + request.cookie("id")));

    String answer =
        servers
            .connect(server)
            .send(Requests.lines("GET / HTTP/1.1", "Host: a", field))
            .read()
            .text();

    assertThat(answer).isEqualTo(expected);
  }

  @Test
  void setsCookies() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.setCookie(SetCookie.of("plain", "1"));
              response.setCookie(
                  SetCookie.of("__Host-id", "a.b-c=")
                      .path("/")
                      .maxAge(Duration.ofHours(1))
                      .expires(Instant.parse("2026-02-03T04:05:06Z"))
                      .secure()
                      .httpOnly()
                      .sameSite(SetCookie.SameSite.STRICT));
              response.setCookie(SetCookie.of("d", "").domain("example.org").path("/a/b"));
              response.send();
            });

    RawResponse answer = servers.connect(server).get("/").read();

    assertThat(answer.headers("Set-Cookie"))
        .containsExactly(
            "plain=1",
            "__Host-id=a.b-c=; Path=/; Max-Age=3600; Expires=Tue, 03 Feb 2026 04:05:06 GMT;"
                + " Secure; HttpOnly; SameSite=Strict",
            "d=; Path=/a/b; Domain=example.org");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a;b", "a,b", "a\"b", "a\\b", "a\rb", "ü"})
  void rejectsValuesThatACookieCannotHave(String value) {
    assertThatIllegalArgumentException().isThrownBy(() -> SetCookie.of("name", value));
  }

  @Test
  void rejectsTextThatWouldChangeTheCookie() {
    SetCookie cookie = SetCookie.of("name", "value");

    assertThatIllegalArgumentException().isThrownBy(() -> SetCookie.of("a=b", ""));
    assertThatIllegalArgumentException().isThrownBy(() -> SetCookie.of("", ""));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.path("/a; Secure"));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.path("a"));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.domain("a; b"));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.domain(""));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.domain("a.".repeat(5000) + "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.maxAge(Duration.ofSeconds(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> cookie.expires(Instant.MAX));
  }

  @Test
  void rejectsCookiesThatBrowsersIgnore() {
    assertThatIllegalStateException()
        .isThrownBy(() -> SetCookie.of("a", "b").sameSite(SetCookie.SameSite.NONE).fieldValue());
    assertThatIllegalStateException()
        .isThrownBy(() -> SetCookie.of("__Secure-a", "b").fieldValue());
    assertThatIllegalStateException()
        .isThrownBy(() -> SetCookie.of("__host-a", "b").secure().fieldValue());
    assertThatIllegalStateException()
        .isThrownBy(
            () -> SetCookie.of("__Host-a", "b").secure().path("/").domain("a").fieldValue());
  }

  @Test
  void redirects() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/found")) {
                response.redirect("/elsewhere?a=b");
              } else {
                response.redirect(HttpStatus.PERMANENT_REDIRECT, "https://example.org/ü");
              }
            });

    RawResponse found = servers.connect(server).get("/found").read();
    assertThat(found.status()).isEqualTo(302);
    assertThat(found.header("Location")).isEqualTo("/elsewhere?a=b");
    RawResponse moved = servers.connect(server).get("/").read();
    assertThat(moved.status()).isEqualTo(308);
    assertThat(moved.header("Location")).isEqualTo("https://example.org/%C3%BC");
    assertThatIllegalArgumentException().isThrownBy(() -> Redirects.check("/a b"));
    assertThatIllegalArgumentException().isThrownBy(() -> Redirects.check("/a\r\nb"));
    assertThatIllegalArgumentException().isThrownBy(() -> Redirects.check(HttpStatus.OK));
  }
}
