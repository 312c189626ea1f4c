package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content at, below and above the limits. */
final class ContentLimitIT {
  private static final int LIMIT = 100_000;

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "WHOLE,    false", "WHOLE,    true",
    "PIECES,   false", "PIECES,   true",
    "BLOCKING, false", "BLOCKING, true"
  })
  void takesContentUpToTheLimit(Echo echo, boolean chunked) {
    HttpServer server =
        servers.start(echo.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    for (int size : new int[] {LIMIT - 1, LIMIT}) {
      byte[] content = Requests.content(size);
      RawClient client = servers.connect(server);
      CompletableFuture<Void> sent = client.sendMeanwhile(request(content, chunked));
      assertThat(client.read().content()).isEqualTo(content);
      sent.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void answers413ToADeclaredLengthAboveTheLimit(Echo echo) {
    HttpServer server =
        servers.start(echo.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    RawClient client = servers.connect(server);

    CompletableFuture<Void> sent =
        client.sendMeanwhile(request(Requests.content(LIMIT + 1), false));

    expect413(client);
    sent.join();
  }

  @ParameterizedTest
  @EnumSource(names = {"WHOLE"})
  void answers413ToChunksAboveTheLimit(Echo echo) {
    HttpServer server =
        servers.start(echo.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    RawClient client = servers.connect(server);

    CompletableFuture<Void> sent = client.sendMeanwhile(request(Requests.content(LIMIT + 1), true));

    expect413(client);
    sent.join();
  }

  @Test
  void cutsAResponseThatHadBegunWhenTheChunksGoAboveTheLimit() {
    HttpServer server =
        servers.start(
            Echo.PIECES.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    RawClient client = servers.connect(server);
    client.send(Requests.chunkedHead("/") + "1\r\na\r\n");
    assertThat(client.readUntil("1\r\na\r\n")).startsWith("HTTP/1.1 200 OK");

    client.send(Requests.chunks(Requests.content(LIMIT), LIMIT, Map.of()));

    assertThat(new String(client.readToEnd(), StandardCharsets.ISO_8859_1))
        .doesNotEndWith("0\r\n\r\n"); // no last chunk
  }

  @ParameterizedTest
  @ValueSource(longs = {LIMIT + 1, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE})
  void answers413ToAGiantLengthBeforeAnyOfTheContentComes(long length) {
    HttpServer server =
        servers.start(Echo.WHOLE.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    RawClient client = servers.connect(server).send(Requests.postHead("/", length));

    expect413(client);
  }

  @Test
  void answers413ToChunksThatAreDeclaredLarge() {
    HttpServer server =
        servers.start(Echo.WHOLE.handler(), Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    RawClient client = servers.connect(server);

    client.send(Requests.chunkedHead("/") + "7FFFFFFF\r\n").send(new byte[LIMIT + 1]);

    expect413(client);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answers413WhenReadAllGetsMoreThanItWants(boolean chunked) {
    AtomicInteger read = new AtomicInteger();
    Handler handler =
        (request, response) ->
            request
                .body()
                .receiveAll(
                    10,
                    content -> {
                      read.incrementAndGet();
                      response.send(content);
                    });
    HttpServer server = servers.start(handler);

    RawClient client = servers.connect(server);

    RawResponse refused = client.send(request(Requests.content(11), chunked)).read();
    assertThat(refused.status()).isEqualTo(413);
    assertThat(refused.saysClose()).isFalse(); // a short rest is discarded
    assertThat(read).hasValue(0);
    assertThat(client.send(request(Requests.content(10), chunked)).read().status()).isEqualTo(200);
  }

  @Test
  void letsARequestHaveItsOwnLimit() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              request.body().maxBytes(request.pathIs("/more") ? 2 * LIMIT : 10);
              Echo.WHOLE.handler().handle(request, response);
            },
            Servers.LIMITS.toBuilder().bodyBytesMax(LIMIT).build());
    byte[] content = Requests.content(2 * LIMIT);

    RawClient more = servers.connect(server);
    CompletableFuture<Void> sent = more.sendMeanwhile(Requests.post("/more", content));
    assertThat(more.read().content()).isEqualTo(content);
    sent.join();
    expect413(servers.connect(server).post("/more", Requests.content(2 * LIMIT + 1)));
    RawClient less = servers.connect(server);
    assertThat(less.post("/", new byte[11]).read().status()).isEqualTo(413);
    assertThat(less.post("/", new byte[10]).read().status()).isEqualTo(200);
  }

  @Test
  void leavesUnreadContentToTheDrainLimit() {
    HttpServer server =
        servers.start(
            (request, response) -> response.text("ignored"),
            Servers.LIMITS.toBuilder().bodyBytesMax(0).build());
    RawClient client = servers.connect(server);

    assertThat(client.post("/", new byte[100]).read().status()).isEqualTo(200);
    assertThat(client.get("/").read().status()).isEqualTo(200);
  }

  private static byte[] request(byte[] content, boolean chunked) {
    return chunked ? Requests.chunkedPost("/", content, 7_000) : Requests.post("/", content);
  }

  private static void expect413(RawClient client) {
    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(413);
    client.expectLast(response);
  }
}
