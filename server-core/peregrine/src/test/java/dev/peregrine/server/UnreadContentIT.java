package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Content that the handler doesn't take: discarded if it is short, otherwise the connection ends.
 */
final class UnreadContentIT {
  private static final int SMALL = 60_000; // below the default of drainBytesMax
  private static final int LARGE = 500_000; // above it, but below that of lingerBytesMax
  private static final Handler IGNORING = (request, response) -> response.text(request.path());

  /** For clients that still send content when the server has ended the connection. */
  private static final ServerLimits PATIENT =
      Servers.LIMITS.toBuilder().lingerTime(Duration.ofMinutes(2)).build();

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void keepsTheConnectionAfterShortContent() {
    RawClient client = servers.connect(servers.start(IGNORING));

    client.send(
        Requests.join(
            Requests.post("/1", Requests.content(SMALL)),
            Requests.chunkedPost("/2", Requests.content(SMALL), 1000),
            Requests.get("/3")));

    for (String path : new String[] {"/1", "/2", "/3"}) {
      RawResponse response = client.read();
      assertThat(response.text()).isEqualTo(path);
      assertThat(response.saysClose()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void dropsShortContentThatArrivesAfterTheResponse(boolean chunked) {
    RawClient client = servers.connect(servers.start(IGNORING));
    String evil = "GET /evil HTTP/1.1\r\nHost: test\r\n\r\n";

    client.send(chunked ? Requests.chunkedHead("/1") : Requests.postHead("/1", evil.length()));
    assertThat(client.read().text()).isEqualTo("/1");
    client.send(
        chunked ? Integer.toHexString(evil.length()) + "\r\n" + evil + "\r\n0\r\n\r\n" : evil);
    client.get("/2");

    assertThat(client.read().text()).isEqualTo("/2");
  }

  @Test
  void answersARequestWithLongContentThenEndsTheConnectionInOrder() {
    RawClient client = servers.connect(servers.start(IGNORING, PATIENT));

    CompletableFuture<Void> sent =
        client.sendMeanwhile(
            Requests.join(Requests.post("/1", Requests.content(LARGE)), Requests.get("/2")));
    RawResponse response = client.read();

    assertThat(response.text()).isEqualTo("/1");
    assertThat(response.saysClose()).isEqualTo(!Servers.HTTP_2);
    expectEnd(client);
    sent.join();
  }

  @Test
  void answersARequestWithLongChunkedContentThenEndsTheConnectionInOrder() {
    RawClient client = servers.connect(servers.start(IGNORING, PATIENT));

    CompletableFuture<Void> sent =
        client.sendMeanwhile(
            Requests.join(
                Requests.chunkedPost("/1", Requests.content(LARGE), 1000), Requests.get("/2")));

    assertThat(client.read().text()).isEqualTo("/1");
    expectEnd(client); // the response may have been sent before it was known to be the last
    sent.join();
  }

  /** HTTP/2 ends the stream only, and serves the next request. */
  private static void expectEnd(RawClient client) {
    if (Servers.HTTP_2) {
      assertThat(client.read().text()).isEqualTo("/2");
    } else {
      client.expectEnd();
    }
  }

  @Test
  void dropsWhatABlockingHandlerLeftUnread() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (InputStream in = request.body().inputStream()) {
                    response.text("" + in.read());
                  }
                }));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 20; i++) {
      client.send(Requests.post("/", Requests.bytes("A".repeat(SMALL))));
      assertThat(client.read().text()).isEqualTo("65");
    }
  }

  @Test
  void endsTheConnectionWhenABlockingHandlerLeftMuchUnread() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (InputStream in = request.body().inputStream()) {
                    in.read();
                    response.text("enough");
                  }
                }),
            PATIENT);
    RawClient client = servers.connect(server);

    CompletableFuture<Void> sent =
        client.sendMeanwhile(
            Requests.join(Requests.post("/1", Requests.content(LARGE)), Requests.get("/2")));

    assertThat(client.read().text()).isEqualTo("enough");
    if (Servers.HTTP_2) {
      assertThat(client.read().text()).isEqualTo("enough");
    } else {
      client.readToEnd();
    }
    sent.join();
  }

  @Test
  void keepsNoConnectionForContentThatMayBeDroppedNowhere() {
    HttpServer server =
        servers.start(IGNORING, Servers.LIMITS.toBuilder().drainBytesMax(0).build());
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/1"), Requests.post("/2", new byte[1])));

    assertThat(client.read().saysClose()).isFalse();
    client.expectLast(client.read());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void dropsContentUpToTheLimit(int over) {
    int limit = 1000;
    HttpServer server =
        servers.start(IGNORING, Servers.LIMITS.toBuilder().drainBytesMax(limit).build());
    RawClient client = servers.connect(server);

    client.post("/", Requests.content(limit + over));

    assertThat(client.read().saysClose()).isEqualTo(over > 0 && !Servers.HTTP_2);
    client.halfClose().expectEnd();
  }

  @OnlyHttp1("HTTP/2 resets the stream")
  @Test
  void readsNoLongerThanTheLimitAllowsAfterTheResponse() {
    HttpServer server =
        servers.start(IGNORING, Servers.LIMITS.toBuilder().lingerBytesMax(1000).build());
    RawClient client = servers.connect(server);
    client.send(Requests.postHead("/", 100_000_000));
    assertThat(client.read().text()).isEqualTo("/");

    CompletableFuture<Void> sent = client.sendMeanwhile(new byte[100_000_000]);

    // The server stops within it; the connection doesn't stay open for all the rest.
    assertThat(sent).failsWithin(Duration.ofMinutes(2));
  }
}
