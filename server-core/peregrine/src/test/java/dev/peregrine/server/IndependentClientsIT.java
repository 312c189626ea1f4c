package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients of other projects: {@code java.net.http}, and curl where it is installed. */
final class IndependentClientsIT {
  private static final byte[] LARGE = Requests.content(5_000_000);

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void getsOverAndOverOnOneConnection() throws Exception {
    HttpServer server = servers.start((request, response) -> response.text(request.target()));
    try (HttpClient client = client()) {
      for (int i = 0; i < 100; i++) {
        HttpResponse<String> response =
            client.send(request(server, "/" + i).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("/" + i);
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
      }
      assertThat(server.connectionCount()).isEqualTo(1);
    }
  }

  /** That client reads no response before it has sent its content, which the buffers must hold. */
  @ParameterizedTest
  @EnumSource
  void postsContentByBothFramings(Echo echo) throws Exception {
    byte[] content = echo == Echo.WHOLE ? LARGE : Requests.content(100_000);
    HttpServer server = servers.start(echo.handler());
    try (HttpClient client = client()) {
      for (BodyPublisher publisher :
          List.of(
              BodyPublishers.ofByteArray(content),
              BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content)))) {
        HttpResponse<byte[]> response =
            client.send(request(server, "/").POST(publisher).build(), BodyHandlers.ofByteArray());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(content);
      }
    }
  }

  @Test
  void waitsForContinue() throws Exception {
    HttpServer server = servers.start(Echo.WHOLE.handler());
    try (HttpClient client = client()) {
      HttpResponse<byte[]> response =
          client.send(
              request(server, "/")
                  .expectContinue(true)
                  .POST(BodyPublishers.ofByteArray(LARGE))
                  .build(),
              BodyHandlers.ofByteArray());

      assertThat(response.body()).isEqualTo(LARGE);
    }
  }

  @Test
  void sendsManyRequestsAtOnce() {
    HttpServer server = servers.start((request, response) -> response.text(request.target()));
    try (HttpClient client = client()) {
      List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        responses.add(client.sendAsync(request(server, "/" + i).build(), BodyHandlers.ofString()));
      }
      for (int i = 0; i < 200; i++) {
        assertThat(responses.get(i).join().body()).isEqualTo("/" + i);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"HEAD, 200", "GET, 204", "GET, 304", "DELETE, 204", "HEAD, 404"})
  void understandsResponsesWithoutContent(String method, int status) throws Exception {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.status(status);
              if (status == 200 || status == 404) {
                response.text("not sent");
              } else {
                response.send();
              }
            });
    try (HttpClient client = client()) {
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> response =
            client.send(
                request(server, "/").method(method, BodyPublishers.noBody()).build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body()).isEmpty();
      }
    }
  }

  @Test
  void curlGets(@TempDir Path directory) throws Exception {
    HttpServer server =
        servers.start((request, response) -> response.header("X-Own", "yes").text("Hello\n"));

    String output = curl(directory, "-i", "-s", url(server) + "/");

    assertThat(output)
        .startsWith("HTTP/1.1 200 OK\r\n")
        .contains("\r\nX-Own: yes\r\n", "\r\nContent-Length: 6\r\n")
        .endsWith("\r\n\r\nHello\n");
  }

  @Test
  void curlUsesAConnectionAgain(@TempDir Path directory) throws Exception {
    HttpServer server = servers.start((request, response) -> response.text(request.target()));

    String output =
        curl(
            directory,
            "-s",
            "-w",
            " connects=%{num_connects};",
            url(server) + "/a",
            url(server) + "/b",
            url(server) + "/c");

    assertThat(output).isEqualTo("/a connects=1;/b connects=0;/c connects=0;");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 200",
    "'-H|Transfer-Encoding: chunked', 200",
    "'--http1.0', 200",
    "'-H|Expect:', 200"
  })
  void curlPosts(String options, int status, @TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("content"), LARGE);
    Path echoed = directory.resolve("echoed");
    for (Echo echo : Echo.values()) {
      HttpServer server = servers.start(echo.handler());
      List<String> arguments = new ArrayList<>(List.of("-s", "-o", echoed.toString()));
      arguments.addAll(List.of("-w", "%{http_code}", "--data-binary", "@" + file));
      if (!options.isEmpty()) {
        arguments.addAll(List.of(options.split("\\|", -1)));
      }
      arguments.add(url(server) + "/");

      String output = curl(directory, arguments.toArray(String[]::new));

      assertThat(output).isEqualTo("" + status);
      assertThat(Files.readAllBytes(echoed)).isEqualTo(LARGE);
    }
  }

  @Test
  void curlReadsTheResponseToContentThatIsTooLarge(@TempDir Path directory) throws Exception {
    Path file = Files.write(directory.resolve("content"), LARGE);
    HttpServer server =
        servers.start(Echo.WHOLE.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(1000).build());

    List<String> arguments = new ArrayList<>(List.of("-s", "-w", "%{http_code}"));
    // otherwise curl sends content after a second, which is reset where it isn't read
    arguments.addAll(List.of("--expect100-timeout", "60"));
    arguments.addAll(List.of("--data-binary", "@" + file, url(server) + "/"));
    String output = curl(directory, arguments.toArray(String[]::new));
    assertThat(output).endsWith("413");
  }

  @Test
  void curlHeads(@TempDir Path directory) throws Exception {
    Handler handler = (request, response) -> response.send(LARGE);
    HttpServer server = servers.start(handler);

    String output = curl(directory, "-I", "-s", url(server) + "/", url(server) + "/");

    assertThat(output.split("Content-Length: 5000000\r\n", -1)).hasSize(3);
  }

  private static HttpClient client() {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  private static HttpRequest.Builder request(HttpServer server, String target) {
    return HttpRequest.newBuilder(URI.create(url(server) + target));
  }

  private static String url(HttpServer server) {
    return "http://127.0.0.1:" + server.port();
  }

  private static String curl(Path directory, String... arguments) throws Exception {
    assumeTrue(
        Processes.succeeds("curl", "--version"), "curl is not installed: this is not tested here");
    List<String> command = new ArrayList<>(List.of("curl", "--noproxy", "*", "--max-time", "60"));
    command.addAll(List.of(arguments));
    return Processes.run(directory, command);
  }
}
