package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.Map;
import java.util.UUID;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ParametersIT {
  private static final byte[] CHUNKED_HEAD =
      Requests.lines(
          "POST / HTTP/1.1",
          "Host: test",
          "Content-Type: application/x-www-form-urlencoded",
          "Transfer-Encoding: chunked");
  private static final Handler SHOWS_QUERY =
      (request, response) -> response.text(request.queryParameters().toString());

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "/, ''",
    "/?, ''",
    "/?&&, ''",
    "/?a=b, a=b",
    "/?a=b&c, 'a=b, c='",
    "/?a=b=c&=d&&a=, 'a=b=c, =d, a='",
    "/?a+b=c%20d%2B, 'a b=c d+'",
    "/?%C3%BC=%E2%82%AC&x=%26%3D%25, 'ü=€, x=&=%'",
    "http://test?a=/?b, a=/?b",
  })
  void decodesTheQuery(String target, String expected) {
    HttpServer server = servers.start(SHOWS_QUERY);

    assertThat(servers.connect(server).get(target).read().text()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/?a=%FF", "/?%C0%80=b", "/?a=%00", "/?a=%ED%A0%80", "/?a=b&c=%80"})
  void rejectsAQueryThatIsNotText(String target) {
    HttpServer server = servers.start(SHOWS_QUERY);

    assertThat(servers.connect(server).get(target).read().status()).isEqualTo(400);
  }

  @Test
  void findsParametersByName() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              Parameters query = request.queryParameters();
              assertThat(query).isSameAs(request.queryParameters());
              assertThat(query.first("b")).isEqualTo("1");
              assertThat(query.all("b")).containsExactly("1", "2");
              assertThat(query.first("none")).isNull();
              assertThat(query.all("none")).isEmpty();
              assertThat(query.names()).containsExactly("b", "a");
              assertThat(query.size()).isEqualTo(3);
              assertThat(query.name(1)).isEqualTo("a");
              assertThat(query.value(2)).isEqualTo("2");
              response.text("" + request.queryParameter("a"));
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/?b=1&a=first&b=2").read().text()).isEqualTo("first");
    assertThat(client.get("/?b=1&a=second&b=2").read().text()).isEqualTo("second");
  }

  @ParameterizedTest
  @CsvSource({
    "/users/7?page=2&id=123e4567-e89b-12d3-a456-426614174000, 200, 7 2",
    "/users/-7?id=123e4567-e89b-12d3-a456-426614174000, 200, -7 null",
    "/users/x?id=123e4567-e89b-12d3-a456-426614174000, 400, the value of parameter user is not valid",
    "/users/9223372036854775808, 400, the value of parameter user is not valid",
    "/users/7?page=&id=x, 400, the value of parameter page is not valid",
    "/users/7?page=2.5, 400, the value of parameter page is not valid",
    "/users/7?page=2, 400, parameter id is missing",
    "/users/7?id=, 400, the value of parameter id is not valid",
    "/users/7?id=%FF, 400, 'a parameter is not UTF-8, or has a NUL'",
  })
  void readsParametersOfOtherTypes(String target, int status, String text) {
    HttpServer server =
        servers.start(
            Routes.builder()
                .get(
                    "/users/{user}",
                    (request, response) -> {
                      long user = request.pathParameter("user", Long::valueOf);
                      Integer page = request.queryParameter("page", Integer::valueOf);
                      UUID id = request.queryParameters().required("id", UUID::fromString);
                      assertThat(id).hasToString(request.queryParameters().required("id"));
                      response.text(user + " " + page);
                    })
                .build());
    RawClient client = servers.connect(server);

    for (int i = 0; i < 2; i++) {
      RawResponse answer = client.get(target).read();
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.text().strip()).isEqualTo(text);
    }
  }

  @Test
  void leavesOtherFailuresOfAParserToTheServer() {
    HttpServer server =
        servers.start(
            (request, response) ->
                request.queryParameter(
                    "a",
                    text -> {
                      throw text.isEmpty()
                          ? new HttpException(422, "own text")
                          : new IllegalStateException("intended");
                    }));
    RawClient client = servers.connect(server);

    RawResponse own = client.get("/?a=").read();
    assertThat(own.status()).isEqualTo(422);
    assertThat(own.text()).isEqualTo("own text\n");
    assertThat(client.get("/?a=1").read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  /**
   * The parameters are parsed at the first call only, even behind a filter that wraps the request.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void parsesTheQueryOncePerRequest(boolean decoded) {
    Handler handler =
        (request, response) -> {
          long before = Allocated.by(Thread.currentThread());
          String query = request.queryParameter("a");
          long first = Allocated.by(Thread.currentThread()) - before;
          String same = request.queryParameter("a");
          long second = Allocated.by(Thread.currentThread()) - before - first;
          assertThat(same).isSameAs(query);
          assertThat(second).isLessThan(first / 2);
          response.text("" + query);
        };
    HttpServer server = servers.start(decoded ? Decompression.of(handler) : handler);
    RawClient client = servers.connect(server);
    String coding = "\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\n\u001f";

    for (int i = 0; i < 20; i++) {
      String target = "/?x=" + "y".repeat(7_000) + "&a=" + i;
      client.send("POST " + target + " HTTP/1.1\r\nHost: a" + coding);
      assertThat(client.read().text()).isEqualTo("" + i);
    }
  }

  @Test
  void boundsTheNumberOfParameters() {
    HttpServer server =
        servers.start((request, response) -> response.text("" + request.queryParameters().size()));

    assertThat(servers.connect(server).get("/?" + "a&".repeat(1000)).read().text())
        .isEqualTo("1000");
    assertThat(servers.connect(server).get("/?" + "a&".repeat(1001)).read().status())
        .isEqualTo(400);
  }

  @Test
  void distinguishesNamesOfTheSameHash() {
    String query =
        IntStream.range(0, Parameters.COUNT_MAX)
            .mapToObj(ParametersIT::nameOfTheSameHash)
            .collect(Collectors.joining("&"));

    assertThat(Parameters.parse(query).names()).hasSize(Parameters.COUNT_MAX);
  }

  /** "Aa" and "BB" have the same hash, and so have all sequences of equally many of them. */
  private static String nameOfTheSameHash(int number) {
    StringBuilder name = new StringBuilder();
    for (int bit = 0; bit < 10; bit++) {
      name.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsAForm(boolean blocking) {
    HttpServer server = servers.start(forms(blocking));
    RawClient client = servers.connect(server);

    String type = "application/x-www-form-urlencoded; charset=UTF-8";
    assertThat(client.send(form(type, "name=J%C3%B6rg&note=a+b")).read().text())
        .isEqualTo("name=Jörg, note=a b");
    assertThat(client.send(form("Application/X-WWW-Form-urlencoded", "")).read().text()).isEmpty();
    byte[] chunks = Requests.chunks(Requests.bytes("a=1&b=2"), 3, Map.of());
    client.send(CHUNKED_HEAD);
    assertThat(client.send(chunks).read().text()).isEqualTo("a=1, b=2");
  }

  @ParameterizedTest
  @CsvSource({
    "application/x-www-form-urlencoded, a=%zz, 400",
    "application/x-www-form-urlencoded, a=%FF, 400",
    "application/x-www-form-urlencoded, 12345678901234567890123456789012345678901, 413",
    "application/json, a=b, 415",
    "application/x-www-form-urlencoded;charset=latin1, a=b, 415",
  })
  void rejectsContentThatIsNotAForm(String type, String content, int status) {
    for (boolean blocking : new boolean[] {true, false}) {
      HttpServer server = servers.start(forms(blocking));

      RawResponse answer = servers.connect(server).send(form(type, content)).read();

      assertThat(answer.status()).isEqualTo(status);
    }
  }

  @Test
  void boundsAFormInChunks() {
    for (boolean blocking : new boolean[] {true, false}) {
      HttpServer server = servers.start(forms(blocking));
      RawClient client = servers.connect(server);

      client.send(CHUNKED_HEAD);
      client.send(Requests.chunks(new byte[41], 10, Map.of()));

      assertThat(client.read().status()).isEqualTo(413);
    }
  }

  private static Handler forms(boolean blocking) {
    return blocking
        ? Handlers.blocking((request, response) -> response.text(request.readForm(40).toString()))
        : (request, response) -> request.receiveForm(40, form -> response.text(form.toString()));
  }

  private static byte[] form(String type, String content) {
    return Requests.bytes(
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Type: "
            + type
            + "\r\nContent-Length: "
            + content.length()
            + "\r\n\r\n"
            + content);
  }
}
