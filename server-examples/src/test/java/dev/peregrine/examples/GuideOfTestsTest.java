package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** The test of a handler in docs/GUIDE.md. See {@link GuideTextTest}. */
class GuideOfTestsTest {
  private static final Handler HELLO = (request, response) -> response.text("Hello");

  // snippet: test
  @Test
  void respondsHello() throws Exception {
    try (HttpServer server = HttpServer.builder().port(0).handler(HELLO).start();
        HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + server.port() + "/");

      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("Hello");
    }
  }
  // end
}
