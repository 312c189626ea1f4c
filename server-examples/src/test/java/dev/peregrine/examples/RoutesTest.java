package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
  private final HttpServer server = start();
  private final Client client = new Client(server.port());

  static HttpServer start() {
    HttpServerBuilder builder = Peregrine.builder().loops(1);
    Routes.install(builder, null, new Health());
    return builder.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void answersPlaintext() throws Exception {
    assertAnswer(client.get("/plaintext"), "text/plain", "Hello, World!");
  }

  @Test
  void answersJson() throws Exception {
    assertAnswer(client.get("/json"), "application/json", "{\"message\":\"Hello, World!\"}");
  }

  @Test
  void answersTheSameJsonAgainAndAgain() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(client.get("/json").body()).isEqualTo("{\"message\":\"Hello, World!\"}");
    }
  }

  @Test
  void sendsContentBack() throws Exception {
    assertAnswer(client.post("/echo", "¡hola!"), "application/octet-stream", "¡hola!");
  }

  @Test
  void answersAPageThatListsTheRoutes() throws Exception {
    HttpResponse<String> answer = client.get("/");

    assertThat(answer.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
    assertThat(answer.body())
        .contains("HTTP/2", "/plaintext", "/json", "/echo", "¡hola!")
        .contains("/livez", "/readyz", "/files/", "--files DIR");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/plaintext", "/json"})
  void answersHeadLikeGetWithoutTheContent(String path) throws Exception {
    HttpResponse<String> get = client.get(path);
    HttpResponse<String> head =
        client.send("HEAD", path, BodyPublishers.noBody(), BodyHandlers.ofString());

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Content-Length"))
        .isEqualTo(get.headers().firstValue("Content-Length"));
    assertThat(head.headers().firstValue("Content-Type"))
        .isEqualTo(get.headers().firstValue("Content-Type"));
  }

  @ParameterizedTest
  @CsvSource({
    "/plaintext, POST, 'GET, HEAD'",
    "/json, PUT, 'GET, HEAD'",
    "/, DELETE, 'GET, HEAD'",
    "/echo, GET, POST",
    "/echo, PUT, POST"
  })
  void listsTheMethodsInAResponseToAnotherMethod(String path, String method, String allowed)
      throws Exception {
    HttpResponse<String> answer =
        client.send(method, path, BodyPublishers.noBody(), BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).contains(allowed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nothing", "/json/", "/plaintex", "/plaintext2"})
  void hasNothingElse(String path) throws Exception {
    assertThat(client.get(path).statusCode()).isEqualTo(404);
  }

  private static void assertAnswer(HttpResponse<String> answer, String type, String body) {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Server")).contains("Peregrine");
    assertThat(answer.headers().firstValue("Date")).isPresent();
    assertThat(answer.headers().firstValue("Content-Type")).contains(type);
    assertThat(answer.headers().firstValue("Content-Length")).isPresent();
    assertThat(answer.body()).isEqualTo(body);
  }
}
