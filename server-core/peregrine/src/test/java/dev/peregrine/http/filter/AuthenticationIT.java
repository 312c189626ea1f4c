package dev.peregrine.http.filter;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Servers;
import java.nio.charset.Charset;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Basic and bearer authentication, over sockets. */
final class AuthenticationIT {
  private static final AttributeKey<String> USER = AttributeKey.of("user");
  private static final Handler SHOW =
      (request, response) -> response.text(String.valueOf(request.attribute(USER)));

  @RegisterExtension final Servers servers = new Servers();

  private final AtomicInteger lookUps = new AtomicInteger();
  private final Handler basic =
      BasicAuthentication.of(
          "the admins' area",
          USER,
          (name, password) -> {
            lookUps.incrementAndGet();
            return Secrets.areEqual(password, "pass:w\u00f6rd") ? name : null;
          },
          SHOW);
  private final Handler bearer =
      BearerAuthentication.of(
          "api",
          USER,
          token -> {
            lookUps.incrementAndGet();
            if (token.equals("weak")) {
              throw new HttpException(403, "the token does not suffice");
            }
            return Secrets.areEqual(token, "a.B-c_9~+/==") || token.length() > 1000 ? "ann" : null;
          },
          SHOW);

  private RawResponse get(Handler filter, String... credentials) {
    StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\nHost: test\r\n");
    for (String value : credentials) {
      head.append("Authorization: ").append(value).append("\r\n");
    }
    return servers.connect(servers.start(filter)).send(head + "\r\n").read();
  }

  private static String base64(String text, Charset charset) {
    return Base64.getEncoder().encodeToString(text.getBytes(charset));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic ", "basic ", "BASIC  "})
  void acceptsNamesAndPasswordsInUtf8(String scheme) {
    String name = "J\u00fcrgen \u4f60";

    RawResponse response = get(basic, scheme + base64(name + ":pass:w\u00f6rd", UTF_8));

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.text()).isEqualTo(name);
  }

  private void expectChallenge(RawResponse response) {
    assertThat(response.status()).isEqualTo(401);
    assertThat(response.header("WWW-Authenticate"))
        .isEqualTo("Basic realm=\"the admins' area\", charset=\"UTF-8\"");
  }

  @Test
  void challengesWithoutTheRightPassword() {
    expectChallenge(get(basic, "Basic " + base64("ann:wrong", UTF_8)));
    assertThat(lookUps).hasValue(1);
    expectChallenge(get(basic));
    expectChallenge(get(basic, "Bearer abc"));
    expectChallenge(get(basic, "Basicx " + base64("ann:pass:w\u00f6rd", UTF_8)));
    assertThat(lookUps).hasValue(1);
  }

  @Test
  void tellsAMissingPasswordFromAWrongOne() {
    assertThat(get(basic).text()).isEqualTo("a name and a password are required\n");
    assertThat(get(basic, "Basic " + base64("ann:wrong", UTF_8)).text())
        .isEqualTo("the name or the password is wrong\n");
  }

  @Test
  void neverLooksUpMalformedCredentials() {
    String right = base64("ann:pass:w\u00f6rd", UTF_8);
    for (String malformed :
        List.of(
            "Basic",
            "Basic !",
            "Basic " + right + "\"",
            "Basic " + right + " " + right,
            "Basic " + base64("no colon", UTF_8),
            "Basic " + base64("ann\r\nX: y:pass", UTF_8),
            "Basic " + base64("ann:pa\u0000ss", UTF_8),
            "Basic " + base64("ann:pass:w\u00f6rd", ISO_8859_1))) {
      expectChallenge(get(basic, malformed));
    }
    expectChallenge(get(basic, "Basic " + right, "Basic " + right));
    assertThat(lookUps).hasValue(0);
  }

  @Test
  void boundsBasicCredentials() {
    int bytes = 1024 / 4 * 3;
    String longest = base64("a".repeat(bytes - 10) + ":" + "b".repeat(9), UTF_8);
    assertThat(longest).hasSize(1024);

    expectChallenge(get(basic, "Basic " + longest));
    assertThat(lookUps).hasValue(1);
    expectChallenge(get(basic, "Basic " + base64("a".repeat(bytes) + ":b", UTF_8)));
    assertThat(lookUps).hasValue(1);
  }

  @Test
  void acceptsTokens() {
    assertThat(get(bearer, "Bearer a.B-c_9~+/==").text()).isEqualTo("ann");
    assertThat(get(bearer, "bearer a.B-c_9~+/==").text()).isEqualTo("ann");
  }

  @Test
  void challengesWithoutAToken() {
    for (RawResponse response : List.of(get(bearer), get(bearer, "Basic YTpi"))) {
      assertThat(response.status()).isEqualTo(401);
      assertThat(response.header("WWW-Authenticate")).isEqualTo("Bearer realm=\"api\"");
    }
    assertThat(lookUps).hasValue(0);
  }

  @Test
  void rejectsTokensThatAreNotValid() {
    RawResponse response = get(bearer, "Bearer other");

    assertThat(response.status()).isEqualTo(401);
    assertThat(response.header("WWW-Authenticate"))
        .isEqualTo("Bearer realm=\"api\", error=\"invalid_token\"");
    assertThat(get(bearer, "Bearer weak").status()).isEqualTo(403);
  }

  private void expectMalformed(String... credentials) {
    RawResponse response = get(bearer, credentials);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.header("WWW-Authenticate"))
        .isEqualTo("Bearer realm=\"api\", error=\"invalid_request\"");
  }

  @Test
  void rejectsWhatCannotBeAToken() {
    expectMalformed("Bearer");
    expectMalformed("Bearer ==");
    expectMalformed("Bearer a b");
    expectMalformed("Bearer a=b");
    expectMalformed("Bearer \", realm=\"evil");
    expectMalformed("Bearer a.B-c_9~+/==", "Bearer a.B-c_9~+/==");
    assertThat(lookUps).hasValue(0);
  }

  @Test
  void boundsTokens() {
    assertThat(get(bearer, "Bearer " + "a".repeat(8191)).status()).isEqualTo(200);
    assertThat(get(bearer, "Bearer " + "a".repeat(8192)).status()).isEqualTo(200);
    expectMalformed("Bearer " + "a".repeat(8193));
  }

  @Test
  void looksUsersUpWhereItsCallerRuns() {
    Handler blocking =
        Handlers.blocking(
            BasicAuthentication.of(
                "x",
                USER,
                (name, password) -> Thread.currentThread().isVirtual() ? name : null,
                SHOW));

    assertThat(get(blocking, "Basic " + base64("ann:", UTF_8)).text()).isEqualTo("ann");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\"b", "a\\b", "a\r\nX: y", "\u00e4", "a\u0000", "a\u007f"})
  void acceptsOnlyRealmsThatCannotEndTheirQuotes(String realm) {
    assertThatThrownBy(() -> BasicAuthentication.of(realm, USER, (name, password) -> null, SHOW))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BearerAuthentication.of(realm, USER, token -> null, SHOW))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void comparesSecretsByValue() {
    assertThat(Secrets.areEqual("", "")).isTrue();
    assertThat(Secrets.areEqual("s\u00e9cret", "s\u00e9cret")).isTrue();
    for (String other : List.of("", "secre", "secrets", "Secret", "secre\u0165")) {
      assertThat(Secrets.areEqual(other, "secret")).isFalse();
    }
  }
}
