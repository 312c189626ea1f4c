package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests from pages of other origins, over sockets. */
final class CorsIT {
  private static final String APP = "https://app.example.com";
  private static final String ALLOWED = "Access-Control-Allow-Origin";

  @RegisterExtension final Servers servers = new Servers();

  private final AtomicInteger handled = new AtomicInteger();
  private final Handler handler =
      (request, response) -> {
        handled.incrementAndGet();
        response.text("hello");
      };

  private RawResponse send(Handler served, String method, String... fields) {
    List<String> lines = new ArrayList<>(List.of(method + " / HTTP/1.1", "Host: test"));
    lines.addAll(List.of(fields));
    return servers
        .connect(servers.start(served))
        .send(Requests.lines(lines.toArray(String[]::new)))
        .read(method);
  }

  private static String[] preflight(String origin) {
    return new String[] {
      "Origin: " + origin,
      "Access-Control-Request-Method: DELETE",
      "Access-Control-Request-Headers: x-evil"
    };
  }

  @Test
  void namesAnAllowedOrigin() {
    Cors cors =
        Cors.builder(handler)
            .origins("http://localhost:5173", APP)
            .exposedHeaders("ETag", "X-Total")
            .credentials()
            .build();

    RawResponse response = send(cors, "GET", "Origin: " + APP);

    assertThat(response.text()).isEqualTo("hello");
    assertThat(response.header(ALLOWED)).isEqualTo(APP);
    assertThat(response.header("Access-Control-Allow-Credentials")).isEqualTo("true");
    assertThat(response.header("Access-Control-Expose-Headers")).isEqualTo("ETag, X-Total");
    assertThat(response.header("Vary")).isEqualTo("Origin");
  }

  @Test
  void comparesConfiguredOriginsInTheFormThatBrowsersSend() {
    Cors cors = Cors.builder(handler).origins("HTTPS://App.Example.COM:443").build();

    assertThat(send(cors, "GET", "Origin: " + APP).header(ALLOWED)).isEqualTo(APP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example.com.evil.test",
        "https://evil.test/https://app.example.com",
        "https://evilapp.example.com",
        "https://x.app.example.com",
        "https://app.example.com:8443",
        "https://app.example.com/",
        "https://app.example.co",
        "http://app.example.com",
        "app.example.com",
        "null",
        "*"
      })
  void namesNoOtherOrigin(String origin) {
    Cors cors = Cors.builder(handler).origins(APP).credentials().build();

    RawResponse response = send(cors, "GET", "Origin: " + origin);

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.header(ALLOWED)).isNull();
    assertThat(response.header("Access-Control-Allow-Credentials")).isNull();
    assertThat(response.header("Vary")).isEqualTo("Origin");
  }

  @Test
  void namesNoneOfTwoOrigins() {
    Cors cors = Cors.builder(handler).origins(APP).build();

    assertThat(send(cors, "GET", "Origin: " + APP, "Origin: " + APP).header(ALLOWED)).isNull();
  }

  @Test
  void tellsCachesOfTheOriginAlsoWithoutOne() {
    Cors cors = Cors.builder(handler).origins(APP).build();

    RawResponse response = send(cors, "GET");

    assertThat(response.header("Vary")).isEqualTo("Origin");
    assertThat(response.header(ALLOWED)).isNull();
  }

  @Test
  void answersPreflightRequestsItself() {
    Cors cors =
        Cors.builder(handler)
            .origins(APP)
            .methods("DELETE")
            .headers("Content-Type", "Authorization")
            .maxAge(Duration.ofHours(1))
            .build();

    RawResponse response = send(cors, "OPTIONS", preflight(APP));

    assertThat(response.status()).isEqualTo(204);
    assertThat(response.header(ALLOWED)).isEqualTo(APP);
    assertThat(response.header("Access-Control-Allow-Methods"))
        .isEqualTo("GET, HEAD, POST, DELETE");
    assertThat(response.header("Access-Control-Allow-Headers"))
        .isEqualTo("Content-Type, Authorization");
    assertThat(response.header("Access-Control-Max-Age")).isEqualTo("3600");
    assertThat(response.header("Vary")).isEqualTo("Origin");
    assertThat(handled).hasValue(0);
  }

  @Test
  void rejectsPreflightRequestsOfOtherOrigins() {
    Cors cors = Cors.builder(handler).origins(APP).build();

    RawResponse response = send(cors, "OPTIONS", preflight("https://evil.test"));

    assertThat(response.status()).isEqualTo(403);
    assertThat(response.header(ALLOWED)).isNull();
    assertThat(response.header("Access-Control-Allow-Methods")).isNull();
    assertThat(handled).hasValue(0);
  }

  @Test
  void passesOtherRequestsWithOptionsOn() {
    Cors cors = Cors.builder(handler).origins(APP).build();

    assertThat(send(cors, "OPTIONS", "Origin: " + APP).text()).isEqualTo("hello");
    assertThat(send(cors, "OPTIONS", "Access-Control-Request-Method: GET").status()).isEqualTo(200);
  }

  @Test
  void keepsTheFieldsOfTheHandler() {
    Handler own =
        (request, response) ->
            response.header("Vary", "Accept").header(ALLOWED, "https://other.test").text("hello");
    Cors cors = Cors.builder(own).origins(APP).build();

    RawResponse response = send(cors, "GET", "Origin: " + APP);

    assertThat(response.headers("Vary")).containsExactly("Accept", "Origin");
    assertThat(response.headers(ALLOWED)).containsExactly(APP);
  }

  @Test
  void letsPagesReadErrors() {
    Handler missing =
        (request, response) -> {
          throw new HttpException(404, "no such thing");
        };
    Handler later =
        (request, response) -> {
          response.async();
          Thread.ofVirtual().start(() -> response.fail(new HttpException(409, "not now")));
        };

    for (Handler failing : List.of(missing, later)) {
      Cors cors = Cors.builder(failing).origins(APP).build();
      RawResponse response = send(cors, "GET", "Origin: " + APP);
      assertThat(response.status()).isBetween(400, 499);
      assertThat(response.header(ALLOWED)).isEqualTo(APP);
      assertThat(response.header("Vary")).isEqualTo("Origin");
    }
  }

  @Test
  void allowsEveryOriginWithoutNamingIt() {
    Cors cors = Cors.builder(handler).anyOrigin().build();

    for (String origin : List.of("https://evil.test", "null")) {
      RawResponse response = send(cors, "GET", "Origin: " + origin);
      assertThat(response.header(ALLOWED)).isEqualTo("*");
      assertThat(response.header("Access-Control-Allow-Credentials")).isNull();
      assertThat(response.header("Vary")).isNull();
    }
    assertThat(send(cors, "OPTIONS", preflight("https://evil.test")).header(ALLOWED))
        .isEqualTo("*");
  }

  @Test
  void acceptsOnlyOptionsThatAreSafe() {
    assertThatThrownBy(() -> Cors.builder(handler).build())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Cors.builder(handler).anyOrigin().credentials().build())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Cors.builder(handler).anyOrigin().origins(APP).build())
        .isInstanceOf(IllegalStateException.class);
    for (String origin :
        List.of(
            "*",
            "null",
            "example.com",
            "https://*.example.com/",
            "https://*.example.com",
            "http://*",
            APP + "/")) {
      assertThatThrownBy(() -> Cors.builder(handler).origins(origin))
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (String name : List.of("*", "", "X Y", "X\r\nSet-Cookie: a")) {
      assertThatThrownBy(() -> Cors.builder(handler).headers(name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Cors.builder(handler).exposedHeaders(name))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Cors.builder(handler).methods(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Cors.builder(handler).maxAge(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void supportsTheMethodsOfTheHandlerAndPreflights() {
    Handler gets =
        new Handler() {
          @Override
          public void handle(Request request, Response response) {
            response.text("hello");
          }

          @Override
          public Set<String> methods() {
            return Set.of("GET");
          }
        };

    assertThat(Cors.builder(gets).origins(APP).build().methods())
        .containsExactlyInAnyOrder("GET", "OPTIONS");
    assertThat(Cors.builder(handler).origins(APP).build().methods()).isEmpty();
  }
}
