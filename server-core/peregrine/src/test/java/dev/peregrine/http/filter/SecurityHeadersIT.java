package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fields for browsers, over sockets. */
final class SecurityHeadersIT {
  private static final String POLICY = "Content-Security-Policy";
  private static final String HSTS = "Strict-Transport-Security";
  private static final Handler HELLO = (request, response) -> response.text("hello");

  @RegisterExtension final Servers servers = new Servers();

  private RawResponse get(Handler handler) {
    return servers.connect(servers.start(handler)).send(Requests.get("/")).read();
  }

  @Test
  void addsItsFieldsToEveryResponse() {
    Handler missing =
        (request, response) -> {
          throw new HttpException(404, "no such thing");
        };
    Handler later =
        (request, response) -> {
          response.async();
          Thread.ofVirtual().start(() -> response.text("later"));
        };
    Handler failsLater =
        (request, response) -> {
          response.async();
          Thread.ofVirtual().start(() -> response.fail(new HttpException(409, "not now")));
        };

    for (Handler handler : List.of(HELLO, missing, later, failsLater)) {
      RawResponse response = get(SecurityHeaders.of(handler));
      assertThat(response.header("X-Content-Type-Options")).isEqualTo("nosniff");
      assertThat(response.header("Referrer-Policy")).isEqualTo("same-origin");
      assertThat(response.header(POLICY)).isEqualTo("frame-ancestors 'self'");
      assertThat(response.header(HSTS)).isNull();
    }
  }

  @Test
  void leavesTheFieldsOfTheHandler() {
    String own = "frame-ancestors https://partner.test";
    Handler replaces = (request, response) -> response.header(POLICY, own).text("hello");
    Handler adds = (request, response) -> response.addHeader(POLICY, own).text("hello");
    PreparedFields prepared = PreparedFields.of("content-security-policy", own);
    Handler addsPrepared = (request, response) -> response.addHeaders(prepared).text("hello");

    for (Handler handler : List.of(replaces, adds, addsPrepared)) {
      RawResponse response = get(SecurityHeaders.of(handler));
      assertThat(response.headers(POLICY)).containsExactly(own);
      assertThat(response.header("Referrer-Policy")).isEqualTo("same-origin");
    }
  }

  @Test
  void addsTheFieldsThatWereChosen() {
    RawResponse response =
        get(
            SecurityHeaders.builder(HELLO)
                .field("referrer-policy", "no-referrer")
                .field("Cross-Origin-Opener-Policy", "same-origin")
                .noField("X-CONTENT-TYPE-OPTIONS")
                .build());

    assertThat(response.header("Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(response.header("Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
    assertThat(response.header("X-Content-Type-Options")).isNull();
    assertThat(response.header(POLICY)).isEqualTo("frame-ancestors 'self'");
  }

  @Test
  void asksForHttpsOnlyOverTls() {
    Handler strict =
        SecurityHeaders.builder(HELLO).strictTransportSecurity(Duration.ofDays(1), true).build();
    HttpServer secured = servers.start(strict, options -> options.with(Certificates.TLS));
    try (RawClient client =
        Servers.HTTP_2
            ? RawClient.connectByHttp2(secured.address(), true, 0)
            : RawClient.connectSecured(secured.address(), 0)) {
      assertThat(client.send(Requests.get("/")).read().header(HSTS))
          .isEqualTo("max-age=86400; includeSubDomains");
    }
    if (!Servers.TLS) {
      assertThat(get(strict).header(HSTS)).isNull();
    }
  }

  @Test
  void rejectsFieldsThatCouldEndALine() {
    assertThatThrownBy(() -> SecurityHeaders.builder(HELLO).field(POLICY, "a\r\nX: y"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                SecurityHeaders.builder(HELLO)
                    .strictTransportSecurity(Duration.ofSeconds(-1), false))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
