package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.testing.InMemoryServer;
import dev.peregrine.server.testing.TestRequest;
import dev.peregrine.server.testing.TestResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** The test of a handler in docs/guide/testing.md. See {@link GuideTextTest}. */
class GuideOfTestsTest {
  private static final Handler HELLO = (request, response) -> response.text("Hello");

  // snippet: test
  @Test
  void respondsHello() throws Exception {
    try (HttpServer server = Peregrine.builder().port(0).handler(HELLO).start();
        HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");

      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("Hello");
    }
  }

  // end

  // snippet: test-in-memory
  @Test
  void greetsInMemory() throws Exception {
    assertThat(TestRequest.get("/").send(HELLO).text()).isEqualTo("Hello");
  }

  // end

  // snippet: test-json
  @Test
  void answersJson() throws Exception {
    Handler echo = (request, response) -> request.receiveJson(100, Message.class, response::json);
    HttpServerBuilder options = Peregrine.builder().json(new AvajeJson()).handler(echo);

    TestResponse answer = TestRequest.of("POST", "/").json("{\"message\":\"Hi\"}").send(options);

    assertThat(answer.text()).isEqualTo("{\"message\":\"Hi\"}");
  }

  // end

  // snippet: test-options
  @Test
  void rejectsLargeContent() throws Exception {
    ServerLimits limits = ServerLimits.builder().bodyBytesMax(10).build();
    Handler echo =
        Handlers.blocking(
            (request, response) -> response.send(request.body().readAll(Integer.MAX_VALUE)));

    try (InMemoryServer server =
        InMemoryServer.start(Peregrine.builder().limits(limits).handler(echo))) {
      TestResponse small = TestRequest.post("/", "small").header("X-Own", "x").send(server);
      TestResponse large = TestRequest.post("/", "a larger one").send(server);

      assertThat(small.text()).isEqualTo("small");
      assertThat(large.status()).isEqualTo(413);
    }
  }
  // end
}
