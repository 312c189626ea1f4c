package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.multipart.MultipartFlow;
import dev.peregrine.http.multipart.MultipartLimits;
import dev.peregrine.http.multipart.MultipartListener;
import dev.peregrine.http.multipart.PartHead;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Failures that follow from what a client did aren't logged as those of the application: any client
 * could fill the log with them. {@link Servers} checks that nothing was logged.
 */
final class ClientFaultLogIT {
  @RegisterExtension final Servers servers = new Servers();
  private final CompletableFuture<HttpServer> started = new CompletableFuture<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CompletableFuture<String> stage = new CompletableFuture<>();

  /** Calls back what it has received. */
  private abstract static class EndListener implements BodyListener {
    @Override
    public void onData(Bytes data) {}

    @Override
    public void onError(IOException cause) {}
  }

  private RawClient connect(Handler handler) {
    ServerLimits limits = Servers.LIMITS.toBuilder().leftHandlersMax(1).build();
    started.complete(servers.start(handler, options -> options.loops(1).limits(limits)));
    return servers.connect(started.join());
  }

  private void leave() {
    ReliefProbe.leave(started.join().running().acceptors().getFirst().loop());
  }

  /** Waits until all that the failed stage or handler causes has run on the loop. */
  private void settle() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    started.join().running().acceptors().getFirst().loop().execute(done::countDown);
    done.await();
  }

  @Test
  void leavesOutTheListenerOfContentWhoseClientHasGone() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    RawClient client =
        connect(
            (request, response) -> {
              request
                  .body()
                  .receive(
                      new EndListener() {
                        @Override
                        public void onEnd() {
                          ended.countDown();
                          response.text("too late");
                        }
                      });
              leave();
              begun.countDown();
              released.await();
            });

    client.get("/");
    begun.await();
    settle(); // the end of the content waits for the handler now
    client.reset();
    Await.until("it is closed", () -> started.join().connectionCount() == 0);
    released.countDown();

    assertThat(ended.await(120, TimeUnit.SECONDS)).isTrue();
    settle();
  }

  @Test
  void leavesOutAHandlerWhoseClientHasGone() throws Exception {
    RawClient client =
        connect(
            (request, response) -> {
              leave();
              begun.countDown();
              released.await();
              throw new IllegalStateException("its client has gone");
            });

    client.get("/");
    begun.await();
    client.reset();
    Await.until("it is closed", () -> started.join().connectionCount() == 0);
    released.countDown();
  }

  /** The filter has responded with 400, and the application's work fails for that reason. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void leavesOutWorkWhoseContentIsMalformed(boolean decodes) throws Exception {
    Handler working =
        (request, response) -> {
          request
              .body()
              .receive(
                  new EndListener() {
                    @Override
                    public void onData(Bytes data) {
                      throw new HttpException(400, "malformed");
                    }

                    @Override
                    public void onEnd() {}
                  });
          response.async(() -> stage);
        };
    RawClient client = connect(decodes ? Decompression.of(working) : working);

    client.send(
        Requests.join(
            Requests.lines(
                "POST / HTTP/1.1", "Host: a", "Content-Encoding: gzip", "Content-Length: 10"),
            Requests.bytes("0123456789")));
    assertThat(client.read().status()).isEqualTo(400);
    stage.completeExceptionally(new IOException("there is no content"));

    settle();
    settle();
  }

  @Test
  void leavesOutARejectionAfterTheResponseHasBegun() {
    RawClient client =
        connect(
            (request, response) -> {
              response.stream().write(Requests.bytes("begun")).flush();
              throw new HttpException(400, "malformed");
            });

    client.get("/").expectCutShort();
  }

  /** Any client can send malformed content as often as it likes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void boundsTheFailuresOfListenersOfMalformedContent(boolean decodes) throws Exception {
    RawClient client = connect(decodes ? Decompression.of(this::decode) : this::readParts);
    long start = System.nanoTime();

    for (int i = 0; i < 120; i++) {
      client.send(
          Requests.join(
              Requests.lines(
                  "POST / HTTP/1.1",
                  "Host: a",
                  decodes
                      ? "Content-Encoding: gzip"
                      : "Content-Type: multipart/form-data; boundary=a",
                  "Content-Length: 10"),
              Requests.bytes("0123456789")));
      assertThat(client.read().status()).isEqualTo(400);
    }
    settle();

    assertThat(servers.log().take(Level.WARNING))
        .hasSizeBetween(1, 100 * ServerLog.periodsSince(start));
  }

  private void decode(Request request, Response response) {
    request
        .body()
        .receive(
            new EndListener() {
              @Override
              public void onEnd() {}

              @Override
              public void onError(IOException cause) {
                throw new IllegalStateException("intended");
              }
            });
  }

  private void readParts(Request request, Response response) {
    MultipartFlow ignored =
        MultipartFlow.receive(
            request,
            response,
            MultipartLimits.DEFAULTS,
            new MultipartListener() {
              @Override
              public void onPart(PartHead head) {}

              @Override
              public void onData(Bytes data) {}

              @Override
              public void onPartEnd() {}

              @Override
              public void onEnd() {}

              @Override
              public void onError(IOException cause) {
                throw new IllegalStateException("intended");
              }
            });
  }

  /** An error of the application itself, whose client is as it should be. */
  @Test
  void showsWorkThatFailsAfterItsResponse() throws Exception {
    RawClient client = connect(this::respondBefore);

    assertThat(client.get("/").read().text()).isEqualTo("ok");
    stage.completeExceptionally(new IllegalStateException("a fault of the application"));

    assertThat(servers.log().await(Level.SEVERE))
        .extracting(LogRecord::getThrown)
        .first()
        .isInstanceOf(IllegalStateException.class);
  }

  private void respondBefore(Request request, Response response) {
    response.async(() -> stage);
    response.text("ok");
  }
}
