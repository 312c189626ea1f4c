package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Content without a natural end, on a server with tight limits. */
final class OpenEndedIT {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration IDLE_TIME = Duration.ofSeconds(2);
  private static final int LIMIT = 1000;

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer start(Handler handler) {
    return start(handler, Servers.LIMITS.keepAliveTime());
  }

  private HttpServer start(Handler handler, Duration keepAliveTime) {
    ServerLimits limits =
        Servers.LIMITS.toBuilder()
            .bodyBytesMax(LIMIT)
            .requestBytesPerSecondMin(1_000_000_000)
            .requestRateGrace(SHORT)
            .responseBeginTime(SHORT)
            .keepAliveTime(keepAliveTime)
            .build();
    return servers.start(handler, limits);
  }

  private static RequestBody body(Request request) {
    return request.pathIs("/limited") ? request.body() : request.body().openEnded();
  }

  /** Another client that is as slow is the clock. */
  private void awaitTheLimit(HttpServer server) {
    RawClient limited = servers.connect(server).send(Requests.postHead("/limited", 3) + "a");
    assertThat(limited.read().status()).isEqualTo(408);
  }

  @Test
  void waitsForAClientThatIsSilent() {
    HttpServer server =
        start(
            (request, response) -> {
              response.async(Duration.ZERO);
              body(request).receiveAll(LIMIT, response::send);
            });
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "ab");

    awaitTheLimit(server);
    awaitTheLimit(server);

    assertThat(client.send("c").read().text()).isEqualTo("abc");
  }

  @Test
  void waitsForAClientThatIsSilentWhileItsContentIsDecompressed() {
    HttpServer server =
        start(
            Decompression.of(
                (request, response) -> body(request).receiveAll(LIMIT, response::send)));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "ab");

    awaitTheLimit(server);

    assertThat(client.send("c").read().text()).isEqualTo("abc");
  }

  @Test
  void takesContentOfAnyLength() {
    HttpServer server =
        start((request, response) -> body(request).receiveAll(3 * LIMIT, response::send));
    String content = "x".repeat(LIMIT + 1);
    String limited = Requests.postHead("/limited", LIMIT + 1);

    assertThat(servers.connect(server).send(limited).read().status()).isEqualTo(413);
    assertThat(
            servers.connect(server).send(Requests.postHead("/", LIMIT + 1) + content).read().text())
        .isEqualTo(content);
  }

  @Test
  void limitsTheNextRequestOfTheConnection() {
    HttpServer server =
        start((request, response) -> body(request).receiveAll(3 * LIMIT, response::send));
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "abc");
    assertThat(client.read().text()).isEqualTo("abc");

    assertThat(client.send(Requests.postHead("/limited", LIMIT + 1)).read().status())
        .isEqualTo(413);
  }

  @Test
  void limitsTheRestOnceTheResponseIsComplete() {
    HttpServer server =
        start(
            (request, response) -> {
              body(request).receiveAll(LIMIT, content -> {});
              response.text("early");
            },
            IDLE_TIME); // of a connection whose only stream has ended

    readEarly(server).expectEnd();
  }

  /** Returns a client that has its response: another one if a slow machine made it late. */
  private RawClient readEarly(HttpServer server) {
    while (true) {
      long start = System.nanoTime();
      RawClient client = servers.connect(server);
      try {
        client.send(Requests.postHead("/", 3) + "ab");
        assertThat(client.read().text()).isEqualTo("early");
        return client;
      } catch (UncheckedIOException ended) {
        if (System.nanoTime() - start < IDLE_TIME.toNanos()) {
          throw ended;
        }
      }
    }
  }

  @Test
  void rejectsTheSwitchWhenTheBodyIsRead() {
    HttpServer server =
        start(
            (request, response) -> {
              request.body().receiveAll(LIMIT, response::send);
              assertThatThrownBy(() -> request.body().openEnded())
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("before");
            });

    assertThat(servers.connect(server).send(Requests.postHead("/", 3) + "abc").read().text())
        .isEqualTo("abc");
  }
}
