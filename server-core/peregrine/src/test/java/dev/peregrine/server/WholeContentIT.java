package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Content that is collected before it is passed on. */
final class WholeContentIT {
  private static final int CONTENT_BYTES = 1024 * 1024;

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allocatesContentOnce(boolean chunked) {
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    HttpServer server =
        servers.start(
            (request, response) -> {
              long before = Allocated.by(Thread.currentThread());
              request
                  .body()
                  .receiveAll(
                      CONTENT_BYTES,
                      content -> {
                        long bytes = Allocated.by(Thread.currentThread()) - before;
                        least.accumulateAndGet(bytes, Math::min);
                        response.send(content);
                      });
            },
            options -> options.loops(1));
    RawClient client = servers.connect(server);
    byte[] content = Requests.content(CONTENT_BYTES);
    byte[] request =
        chunked ? Requests.chunkedPost("/", content, 10_000) : Requests.post("/", content);

    for (int i = 0; i < 50; i++) {
      CompletableFuture<Void> sent = client.sendMeanwhile(request);
      assertThat(client.read("POST").content()).isEqualTo(content);
      sent.join();
    }

    assertThat(least.get()).isBetween((long) CONTENT_BYTES, CONTENT_BYTES + CONTENT_BYTES / 4L);
  }

  /** The end of each test checks that the memory is free again. */
  @Test
  void releasesTheContentOfAClientThatHasGone() throws Exception {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              request.body().receiveAll(CONTENT_BYTES, response::send);
              begun.complete(null);
            });
    byte[] request = Requests.post("/", Requests.content(CONTENT_BYTES));
    RawClient client = servers.connect(server);

    client.send(request, 0, request.length / 2);
    begun.get();

    client.close();
  }

  @Test
  void releasesContentAboveTheLimit() {
    HttpServer server =
        servers.start((request, response) -> request.body().receiveAll(100_000, response::send));
    RawClient client = servers.connect(server);

    boolean ignored =
        client.sendWhileOpen(
            Requests.chunkedPost(
                "/", Requests.content(200_000), 9_000)); // 413 may come before its end

    assertThat(client.read("POST").status()).isEqualTo(413);
  }
}
