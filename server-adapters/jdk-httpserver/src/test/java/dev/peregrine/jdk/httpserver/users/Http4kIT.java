package dev.peregrine.jdk.httpserver.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.http4k.core.Request;
import org.http4k.core.Response;
import org.http4k.core.Status;
import org.http4k.server.Http4kServer;
import org.http4k.server.ServerConfig;
import org.http4k.server.ServerConfig.StopMode;
import org.http4k.server.SunHttp;
import org.http4k.server.SunHttpLoom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Kotlin library http4k with its backends for this API, on platform threads and on virtual
 * ones. They always listen on all addresses.
 */
@Timeout(120)
class Http4kIT {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final PipedInputStream pipe = new PipedInputStream(1 << 20);

  @BeforeEach
  void isPeregrine() throws IOException {
    Provider.requirePeregrine();
  }

  private Http4kServer start(ServerConfig config) {
    return config.toServer(this::answer).start();
  }

  private Response answer(Request request) {
    return switch (request.getUri().getPath()) {
      case "/mirror" -> mirror(request);
      case "/stream" -> ok().body(pipe, null);
      case "/length" -> ok().body(request.getBody().getStream(), request.getBody().getLength());
      case "/none" -> Response.create(Status.NO_CONTENT);
      case "/empty" -> ok().header("x-empty", "");
      case "/slow" -> slow();
      default -> throw new IllegalStateException("on purpose");
    };
  }

  private static Response ok() {
    return Response.create(Status.OK);
  }

  private static Response mirror(Request request) {
    String headers =
        request.getHeaders().stream()
            .filter(header -> header.getFirst().equalsIgnoreCase("x-test"))
            .map(header -> header.getSecond())
            .collect(Collectors.joining("|"));
    return ok().header("x-one", "1")
        .header("x-one", "2")
        .body(
            String.join(
                " ",
                request.getMethod().name(),
                request.getUri().toString(),
                headers,
                requireNonNull(request.getSource()).getAddress(),
                request.bodyString()));
  }

  private Response slow() {
    entered.countDown();
    try {
      assertThat(open.await(120, SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    return ok().body("slow");
  }

  private static ServerConfig backend(boolean virtual) {
    return virtual ? new SunHttpLoom(0) : new SunHttp(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void passesRequestsOn(boolean virtual) throws Exception {
    try (Http4kServer server = start(backend(virtual));
        Client client = Client.http(server.port())) {
      Provider.requirePeregrine(server.port());
      HttpResponse<String> response =
          client.send(
              client
                  .request("/mirror?a=%26&b", "X-Test", "1", "X-Test", "ü=2")
                  .PUT(BodyPublishers.ofString("content ä")));

      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body())
          .startsWith("PUT /mirror?a=%26&b 1|")
          .endsWith(" 127.0.0.1 content ä");
      assertThat(response.headers().allValues("X-One")).containsExactly("1", "2");
      assertThat(response.headers().allValues("Content-Length")).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void streamsBothWays(boolean virtual) throws Exception {
    String large = "0123456789".repeat(100_000);
    try (Http4kServer server = start(backend(virtual));
        Client client = Client.http(server.port())) {
      HttpResponse<String> response =
          client.send(
              client
                  .request("/length")
                  .POST(
                      BodyPublishers.ofInputStream(
                          () -> new ByteArrayInputStream(large.getBytes(UTF_8)))));

      assertThat(response.body()).isEqualTo(large);
      assertThat(response.headers().firstValue("Transfer-Encoding")).contains("chunked");
      assertThat(client.post("/length", "text/plain", large).body()).isEqualTo(large);
    }
  }

  /** What it keeps back is bounded, although http4k never flushes. */
  @Test
  void sendsABodyWhileItIsWritten() throws Exception {
    byte[] part = new byte[200_000];
    try (Http4kServer server = start(backend(true));
        Client client = Client.http(server.port())) {
      HttpResponse<InputStream> response;
      try (PipedOutputStream output = new PipedOutputStream(pipe)) {
        output.write(part);
        response = client.send(client.request("/stream"), BodyHandlers.ofInputStream());
        assertThat(response.body().readNBytes(part.length / 2)).hasSize(part.length / 2);
        output.write(part);
      }
      assertThat(response.body().readAllBytes()).hasSize(part.length * 3 / 2);
    }
  }

  @Test
  void answersWithoutContent() throws Exception {
    try (Http4kServer server = start(backend(false));
        Client client = Client.http(server.port())) {
      HttpResponse<String> none = client.get("/none");
      assertThat(none.statusCode()).isEqualTo(204);
      assertThat(none.headers().firstValue("Content-Length")).isEmpty();
      HttpResponse<String> empty = client.get("/empty");
      assertThat(empty.body()).isEmpty();
      assertThat(empty.headers().firstValue("X-Empty")).contains("");
      HttpResponse<String> head = client.method("HEAD", "/mirror");
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(client.get("/none").statusCode()).isEqualTo(204);
    }
  }

  @Test
  void answersForFailuresAndUnknownMethods() throws Exception {
    try (Http4kServer server = start(backend(false));
        Client client = Client.http(server.port())) {
      assertThat(client.get("/fail").statusCode()).isEqualTo(500);
      assertThat(client.method("FROBNICATE", "/mirror").statusCode()).isEqualTo(501);
      assertThat(client.get("/mirror").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void refusesConnectionsWhenItIsStopped() throws Exception {
    Http4kServer server = start(backend(false));
    int port = server.port();
    try (Client client = Client.http(port)) {
      assertThat(client.get("/mirror").statusCode()).isEqualTo(200);
    } finally {
      server.stop();
    }
    Client.expectRefused(port);
  }

  /** It first shuts the executor down, which refuses requests then, and at last the server. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersTheRequestUnderWayWhenItStops(boolean virtual) throws Exception {
    StopMode graceful = new StopMode.Graceful(Duration.ofMinutes(10));
    Http4kServer server = start(virtual ? new SunHttpLoom(0, graceful) : new SunHttp(0, graceful));
    int port = server.port();
    try (Client client = Client.http(port)) {
      CompletableFuture<HttpResponse<String>> response = client.getLater("/slow");
      assertThat(entered.await(120, SECONDS)).isTrue();
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::stop);

      open.countDown();

      assertThat(response.get(120, SECONDS).body()).isEqualTo("slow");
      assertThat(stopped).succeedsWithin(Client.PATIENCE);
    } finally {
      open.countDown();
    }
    Client.expectRefused(port);
  }
}
