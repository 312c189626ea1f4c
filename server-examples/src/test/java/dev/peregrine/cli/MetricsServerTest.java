package dev.peregrine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.HttpException;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MetricsServerTest {
  @Test
  void servesMetricsOnAnAddressOfTheirOwn() throws Exception {
    HttpServerBuilder main =
        Peregrine.builder()
            .port(0)
            .handler((request, response) -> response.fail(new HttpException(404, null)));
    try (HttpServer metrics =
            Objects.requireNonNull(MetricsServer.start(Endpoint.tcp("127.0.0.1", 0), main));
        HttpServer server = main.start();
        HttpClient client = HttpClient.newHttpClient()) {
      assertThat(status(client, server, "/metrics")).isEqualTo(404);
      assertThat(status(client, metrics, "/")).isEqualTo(404);
      HttpRequest request = HttpRequest.newBuilder(uri(metrics, "/metrics")).build();
      String page = "";
      while (!page.contains("http_server_request_duration")) { // counted after the response
        page = client.send(request, BodyHandlers.ofString()).body();
      }
    }
  }

  private static int status(HttpClient client, HttpServer server, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri(server, path)).build();
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  private static URI uri(HttpServer server, String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }
}
