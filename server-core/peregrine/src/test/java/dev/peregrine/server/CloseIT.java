package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The end of a server at once: by {@code close}, or by a {@code shutdown} that is interrupted; and
 * concurrent calls.
 */
final class CloseIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final byte[] LARGE = Requests.content(8_000_000);

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void isEndedByCloseWhileItWaits() throws Exception {
    Draining draining = drain();

    draining.server.close();

    draining.client.expectClosed();
    assertThat(draining.result.join()).isFalse();
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @Test
  void isEndedByAnInterruptWhileItWaits() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/");
    pending.take();
    List<Boolean> results = new CopyOnWriteArrayList<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  results.add(server.shutdown(PATIENCE).isComplete());
                  results.add(Thread.interrupted());
                });
    Await.until("the server drains", server.running().end()::isDraining);

    caller.interrupt();

    client.expectClosed();
    caller.join();
    assertThat(results).containsExactly(false, true);
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @Test
  void isEndedByTheCallThatIsLeastPatient() throws Exception {
    Draining draining = drain();

    assertThat(draining.server.shutdown(Duration.ofMillis(1)).isComplete()).isFalse();

    assertThat(draining.result.join()).isFalse();
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @Test
  void answersTwoCallsThatWaitForTheSame() throws Exception {
    Draining draining = drain();
    CompletableFuture<Boolean> other = Servers.shutdown(draining.server);

    draining.response.text("last words");

    assertThat(draining.client.read().text()).isEqualTo("last words");
    draining.client.close();
    assertThat(draining.result.join()).isTrue();
    assertThat(other.join()).isTrue();
  }

  /** A server that shuts down and waits for one response. */
  private record Draining(
      HttpServer server, RawClient client, Response response, CompletableFuture<Boolean> result) {}

  private Draining drain() throws InterruptedException {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/");
    Response response = pending.take();
    CompletableFuture<Boolean> result = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);
    return new Draining(server, client, response, result);
  }

  @Test
  void isRejectedOnAnEventLoop() {
    HttpServer[] itself = new HttpServer[1];
    HttpServer server =
        servers.start(
            (request, response) -> {
              try {
                itself[0].shutdown(PATIENCE);
              } catch (IllegalStateException onLoop) {
                response.text("" + onLoop.getMessage());
              }
            });
    itself[0] = server;

    RawClient client = servers.connect(server);
    assertThat(client.get("/").read().text()).contains("must not be called on an event loop");
    assertThat(client.get("/").read().saysClose()).isFalse();
  }

  /** A handler that never returns blocks its loop, but not the thread that ends the server. */
  @Test
  void returnsThoughAHandlerKeepsItsLoop() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              blocked.countDown();
              release.await();
              response.send();
            });
    servers.connect(server).get("/");
    blocked.await();

    assertThat(server.shutdown(Duration.ofMillis(10)).isComplete()).isFalse();

    assertThat(servers.log().take(Level.WARNING))
        .extracting(LogRecord::getMessage)
        .first()
        .asString()
        .startsWith("event loops are blocked by their handlers");
    release.countDown();
    Await.until("all loops have ended", () -> server.bufferBytesInUse() == 0);
  }

  @Test
  void closesAtOnceInEveryState() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/large")) {
                response.send(LARGE);
              } else {
                pending.add(response.async());
              }
            });
    RawClient idle = servers.connect(server);
    RawClient inHead = servers.connect(server).send("GET / HT");
    RawClient waiting = servers.connect(server).get("/");
    RawClient reading = servers.connect(server, 4096).get("/large");
    reading.readUntil("\r\n\r\n");
    pending.take();
    Await.until("all have been accepted", () -> server.connectionCount() == 4);

    server.close();

    assertThat(server.connectionCount()).isZero();
    assertThat(accepts(server)).isFalse();
    for (RawClient client : List.of(idle, inHead, waiting, reading)) {
      client.expectClosed();
    }
    server.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isClosedByAHandler(boolean blocking) {
    HttpServer[] itself = new HttpServer[1];
    CountDownLatch closed = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            blocking
                ? Handlers.blocking(
                    (request, response) -> {
                      itself[0].close();
                      closed.countDown();
                    })
                : (request, response) -> {
                  itself[0].close();
                  closed.countDown();
                  response.send();
                });
    itself[0] = server;

    servers.connect(server).get("/").expectClosed();

    Await.until("close has returned", () -> closed.getCount() == 0);
    Await.until("all loops have ended", () -> server.bufferBytesInUse() == 0);
  }

  @Test
  void notifiesHandlersThatAreAtWork() {
    for (int i = 0; i < 20; i++) {
      CountDownLatch begun = new CountDownLatch(4);
      BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
      HttpServer server =
          servers.start(
              Handlers.blocking(
                  (request, response) -> {
                    begun.countDown();
                    try {
                      if (request.pathIs("/read")) {
                        request.body().inputStream().readAllBytes();
                      }
                      try (OutputStream out = response.outputStream()) {
                        while (true) {
                          out.write(LARGE, 0, 20_000);
                        }
                      }
                    } catch (IOException | IllegalStateException ended) {
                      thrown.add(ended);
                    }
                  }));
      for (int c = 0; c < 4; c++) {
        RawClient client = servers.connect(server);
        client.send(
            c % 2 == 0 ? Requests.get("/write") : Requests.bytes(Requests.postHead("/read", 9)));
      }
      if (i % 2 == 0) {
        Await.until("the handlers are at work", () -> begun.getCount() == 0);
      }

      server.close();

      Await.until(
          () -> thrown.size() + " handlers have noticed",
          () -> thrown.size() >= 4 - begun.getCount());
    }
  }

  @ParameterizedTest
  @EnumSource
  void letsThePortBeBoundAgainAtOnce(End end) throws IOException {
    int port = FreePort.ofLoopback(); // which no client is given meanwhile
    HttpServer first =
        servers.start((request, response) -> response.text("first"), options -> options.port(port));
    RawClient client = servers.connect(first);
    assertThat(client.get("/").read().text()).isEqualTo("first");
    end.apply(first);

    for (int i = 0; i < 3; i++) {
      HttpServer next =
          servers.start(
              (request, response) -> response.text("next"), options -> options.port(port));
      assertThat(servers.connect(next).get("/").read().text()).isEqualTo("next");
      end.apply(next);
    }
  }

  /** The ways to end a server. */
  enum End {
    CLOSE,
    SHUTDOWN;

    void apply(HttpServer server) {
      if (this == CLOSE) {
        server.close();
      } else {
        server.shutdown(Duration.ofMillis(10));
      }
    }
  }

  private static boolean accepts(HttpServer server) {
    try (Socket socket = new Socket()) {
      socket.connect(server.address());
      return true;
    } catch (SocketException refused) {
      return false; // or reset, if the listening socket closes meanwhile
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
