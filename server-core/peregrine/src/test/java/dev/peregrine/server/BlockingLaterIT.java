package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking handlers whose response is completed after their return. */
final class BlockingLaterIT {
  private static final ServerLimits SHORT =
      Servers.LIMITS.toBuilder().bodyBytesMax(10).responseBeginTime(Duration.ofMillis(100)).build();

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Response> waiting = new LinkedBlockingQueue<>();

  private Handler waiting(boolean compressed) {
    Handler handler = Handlers.blocking((request, response) -> waiting.add(response.async()));
    return compressed ? Compression.of(handler) : handler;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isCompletedOnAnotherThread(boolean compressed) throws Exception {
    RawClient client = servers.connect(servers.start(waiting(compressed)));

    client.get("/");
    waiting.take().text("later");
    assertThat(client.read().text()).isEqualTo("later");
    client.get("/");
    ResponseStream stream = waiting.take().contentType(ContentType.TEXT_PLAIN).stream();
    stream.write("streamed".getBytes(StandardCharsets.UTF_8)).complete();
    assertThat(client.read().text()).isEqualTo("streamed");
  }

  @Test
  void isStreamedWhileTheHandlerReturns() throws Exception {
    CompletableFuture<ResponseStream> opened = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  ResponseStream stream = response.async().stream();
                  stream.write(new byte[] {'a'}).flush();
                  opened.complete(stream);
                }));
    RawClient client = servers.connect(server).get("/");

    client.readUntil("\r\na\r\n"); // a chunk of its own
    opened.get().write(new byte[] {'b'}).complete();
    client.readUntil("\r\nb\r\n0\r\n\r\n");
  }

  @Test
  void hasTheLimitOfAnyResponseThatComesLater() throws Exception {
    HttpServer server = servers.start(waiting(false), SHORT);
    RawClient client = servers.connect(server).get("/");

    assertThat(client.read().status()).isEqualTo(503);
    servers.log().expectOne(Level.WARNING, "no response began in time");
  }

  /** A second request, with the limit of the server, shows that this has passed. */
  @Test
  void hasTheLimitThatTheHandlerSets() throws Exception {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  boolean unlimited = request.path().equals("/unlimited");
                  waiting.add(unlimited ? response.async(Duration.ZERO) : response.async());
                }),
            SHORT);
    RawClient client = servers.connect(server).get("/unlimited");
    Response response = waiting.take();

    assertThat(servers.connect(server).get("/limited").read().status()).isEqualTo(503);
    servers.log().expectOne(Level.WARNING, "GET /limited");
    response.text("later");
    assertThat(client.read().text()).isEqualTo("later");
  }

  @Test
  void isStillFailedByAnExceptionOfTheHandler() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  response.async();
                  throw new IllegalStateException("planned");
                }));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.SEVERE, "planned");
  }
}
