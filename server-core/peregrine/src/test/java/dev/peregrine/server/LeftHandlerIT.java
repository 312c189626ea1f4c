package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.Stuck;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler that keeps its event loop is left on its thread, and another one runs the loop. */
final class LeftHandlerIT {
  private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();

  @RegisterExtension final Servers servers = new Servers();
  private final CountDownLatch released = new CountDownLatch(1);
  private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
  private final CompletableFuture<HttpServer> started = new CompletableFuture<>();

  private static ServerLimits limits(int leftMax) {
    return Servers.LIMITS.toBuilder().leftHandlersMax(leftMax).build();
  }

  private RawClient connect(int leftMax, Handler handler) {
    started.complete(servers.start(handler, options -> options.loops(1).limits(limits(leftMax))));
    return servers.connect(server());
  }

  private HttpServer server() {
    return started.join();
  }

  private EventLoop loop() {
    return server().running().acceptors().getFirst().loop();
  }

  /** Has another thread take the loop of the calling handler. */
  private void leave() {
    ReliefProbe.leave(loop());
    assertThat(loop().isCurrent()).isFalse();
  }

  /** The same, and the calling handler waits then. */
  private void leaveUntilReleased() throws InterruptedException {
    leave();
    notes.add("left");
    released.await();
  }

  @ParameterizedTest
  @EnumSource
  void otherConnectionsAreServedMeanwhile(Stuck stuck) {
    RawClient slow =
        connect(
            4,
            (request, response) -> {
              if (request.pathIs("/slow")) {
                stuck.until(released);
                response.text("at last");
              } else {
                response.text("at once");
              }
            });
    slow.get("/slow");

    RawClient other = servers.connect(server()).get("/");
    assertThat(other.read().text()).isEqualTo("at once");
    assertThat(other.get("/again").read().text()).isEqualTo("at once");

    released.countDown();
    assertThat(slow.read().text()).isEqualTo("at last");
    assertThat(slow.get("/").read().text()).isEqualTo("at once");
  }

  @OnlyHttp1("content of HTTP/2 has no chunks")
  @Test
  void itIsToldAfterItsReturnThatItsContentWasRejectedBefore() throws Exception {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leave();
              InputStream content = request.body().inputStream();
              assertThatThrownBy(content::readAllBytes).isInstanceOf(IOException.class);
              response.onAbort(cause -> notes.add("aborted"));
              notes.add("returned");
            });

    client.send(
        Requests.bytes("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"));

    assertThat(client.read().status()).isEqualTo(400);
    assertThat(notes.take()).isEqualTo("returned");
    assertThat(notes.take()).isEqualTo("aborted");
  }

  @Test
  void responsesKeepTheirOrder() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              if (request.pathIs("/slow")) {
                leave();
                released.await();
              }
              response.text(request.path());
            });

    client.send(
        Requests.join(
            Requests.get("/1"), Requests.get("/slow"), Requests.get("/3"), Requests.get("/4")));
    assertThat(client.read().text()).isEqualTo("/1");
    released.countDown();

    assertThat(client.read().text()).isEqualTo("/slow");
    assertThat(client.read().text()).isEqualTo("/3");
    assertThat(client.read().text()).isEqualTo("/4");
  }

  /** The work ends before the handler that has begun it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theHandlerMayAnswerAfterTheEndOfItsWork(boolean blocking) throws Exception {
    Handler handler =
        (request, response) -> {
          response.async(() -> CompletableFuture.completedFuture(null));
          if (!blocking) {
            leave();
          }
          notes.add("begun");
          released.await();
          response.text("at last");
        };
    Handler chosen = blocking ? Handlers.blocking(handler) : handler;
    RawClient slow =
        connect(
            4,
            (request, response) -> {
              if (request.pathIs("/slow")) {
                chosen.handle(request, response);
              } else {
                response.text("at once");
              }
            });
    slow.get("/slow");
    assertThat(notes.take()).isEqualTo("begun");

    assertThat(servers.connect(server()).get("/").read().text()).isEqualTo("at once");
    released.countDown();

    assertThat(slow.read().text()).isEqualTo("at last");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theEndOfAllWorkWithoutAResponseFailsTheExchange(boolean blocking) {
    Handler handler =
        (request, response) -> {
          response.async(() -> CompletableFuture.completedFuture(null));
          if (!blocking) {
            leave();
          }
        };

    RawClient client = connect(4, blocking ? Handlers.blocking(handler) : handler).get("/");

    assertThat(client.read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "the work ended without a response");
  }

  @Test
  void theHandlerKeepsItsViewsAndItsThread() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              Thread thread = Thread.currentThread();
              String loop = thread.getName();
              LOCAL.set(request.path());
              leave();
              assertThat(Thread.currentThread()).isSameAs(thread);
              assertThat(thread.getName()).isEqualTo(loop + "-left");
              assertThat(loop().thread().getName()).isEqualTo(loop);
              assertThat(LOCAL.get()).isEqualTo(request.path());
              assertThat(request.remoteAddress()).isEqualTo(request.peerAddress());
              assertThat(request.header("X-Sent")).isEqualTo(request.path());
              response.header("X-Kept", String.valueOf(request.header("Host"))).text("fine");
            });

    for (int i = 0; i < 3; i++) {
      client.send("GET /" + i + " HTTP/1.1\r\nHost: a\r\nX-Sent: /" + i + "\r\n\r\n");
      assertThat(client.read().text()).isEqualTo("fine");
    }
  }

  @Test
  void theHandlerReadsAndWritesLikeABlockingOne() {
    byte[] content = Requests.content(3_000_000);
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leave();
              try (InputStream in = request.body().inputStream();
                  OutputStream out = response.outputStream()) {
                in.transferTo(out);
              }
            });

    CompletableFuture<Void> sent = client.sendMeanwhile(Requests.post("/", content));

    assertThat(client.read().content()).isEqualTo(content);
    sent.join();
  }

  @Test
  void theHandlerReadsEmptyContent() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leave();
              response.text("" + request.body().inputStream().readAllBytes().length);
            });

    assertThat(client.get("/").read().text()).isEqualTo("0");
    assertThat(client.post("/", new byte[0]).read().text()).isEqualTo("0");
  }

  /** All memory is back at the end, which every test here checks. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theResponseMayBeWorkOfAnotherThread(boolean blocking) {
    Handler later =
        blocking
            ? Handlers.blocking((request, response) -> response.text(request.path()))
            : (request, response) ->
                response.async(
                    () -> CompletableFuture.runAsync(() -> response.text(request.path())));
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leave();
              later.handle(request, response);
            });

    for (int i = 0; i < 4; i++) {
      assertThat(client.get("/" + i).read().text()).isEqualTo("/" + i);
    }
  }

  @Test
  void contentThatIsTakenOnTheLoopArrivesThere() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              request.body().receiveAll(10, response::send);
              leave();
            });

    assertThat(client.post("/", new byte[7]).read().content()).hasSize(7);
    assertThat(client.post("/", new byte[0]).read().content()).isEmpty();
  }

  @Test
  void theResponseMayBeBegunBefore() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              try (OutputStream out = response.outputStream()) {
                out.write('a');
                out.flush();
                leave();
                out.write('b');
              }
            });

    assertThat(client.get("/").read().text()).isEqualTo("ab");
    assertThat(client.get("/").read().text()).isEqualTo("ab");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/throw", "/forget"})
  void itsFailureIsAnswered(String path) {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leave();
              if (request.pathIs("/throw")) {
                throw new IllegalStateException("intended");
              }
            });

    assertThat(client.get(path).read().status()).isEqualTo(500);
    assertThat(client.get(path).read().status()).isEqualTo(500);
    assertThat(servers.log().take(Level.WARNING)).hasSize(2);
  }

  @Test
  void itMayAnswerLater() {
    BlockingQueue<Response> later = new LinkedBlockingQueue<>();
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leave();
              later.add(response.async());
            });

    client.get("/");
    Await.until("the handler has returned", () -> !later.isEmpty());
    later.remove().text("later");

    assertThat(client.read().text()).isEqualTo("later");
  }

  @Test
  void itsCallbacksComeAfterItsReturn() throws Exception {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              response.onAbort(cause -> notes.add("aborted"));
              response.onComplete(outcome -> notes.add("" + outcome));
              response.async().onLoop(() -> notes.add("not after the end"));
              leaveUntilReleased();
              Await.until("the client has gone", () -> hasEnded(response));
              notes.add(request.path());
            });

    client.get("/gone");
    assertThat(notes.take()).isEqualTo("left");
    client.reset();
    released.countDown();
    assertThat(notes.take()).isEqualTo("/gone");
    assertThat(notes.take()).isEqualTo("aborted");
    assertThat(notes.take()).isEqualTo("ABORTED");
    assertThat(notes).isEmpty();
  }

  private static boolean hasEnded(Response response) {
    try {
      response.header("X-Any", "value");
      return false;
    } catch (IllegalStateException ended) {
      return true;
    }
  }

  @Test
  void contentIsPassedOnAfterItsReturn() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              request
                  .body()
                  .receiveAll(
                      100,
                      content -> {
                        notes.add("content");
                        response.send(content);
                      });
              leave();
              released.await();
              notes.add("returned");
            });

    client.post("/", new byte[50]);
    RawClient ignored = servers.expectUnharmed(server());
    released.countDown();

    assertThat(client.read().content()).hasSize(50);
    assertThat(notes).containsExactly("returned", "content");
    assertThat(client.post("/", new byte[0]).read().content()).isEmpty();
  }

  @Test
  void aShutdownWaitsForIt() {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leaveUntilReleased();
              response.text("at last");
            });
    client.get("/");
    Await.until("the handler is left", () -> !notes.isEmpty());

    CompletableFuture<Boolean> complete = Servers.shutdown(server());
    Await.until("it has begun", () -> server().running().end().isClosed() || !complete.isDone());
    released.countDown();

    assertThat(client.read().text()).isEqualTo("at last");
    assertThat(complete.join()).isTrue();
  }

  @Test
  void aCloseDoesNotWaitForIt() throws Exception {
    RawClient client =
        connect(
            4,
            (request, response) -> {
              leaveUntilReleased();
              try {
                response.text(request.path());
              } catch (IllegalStateException ended) {
                notes.add(request.path());
              }
            });
    client.get("/late");
    assertThat(notes.take()).isEqualTo("left");

    server().close();
    client.expectClosed();
    released.countDown();

    assertThat(notes.take()).isEqualTo("/late");
    Await.until("all memory is back", () -> server().bufferBytesInUse() == 0);
  }

  /** The handlers of other servers are the clock. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  @OnlyHttp1("the handlers of a connection would wait for each other")
  void asManyAreLeftAsTheLimitSays(int leftMax) throws Exception {
    Semaphore goLeft = new Semaphore(0);
    RawClient keeping =
        connect(
            leftMax,
            (request, response) -> {
              notes.add("runs");
              if (request.pathIs("/keeps")) {
                released.await();
              } else {
                goLeft.acquire();
              }
              response.text(Thread.currentThread().getName());
            });
    String loop = loop().name();
    List<RawClient> left = new ArrayList<>();
    for (int i = 0; i < leftMax; i++) {
      left.add(servers.connect(server()).get("/left"));
      assertThat(notes.take()).isEqualTo("runs");
    }
    keeping.get("/keeps");
    assertThat(notes.take()).isEqualTo("runs"); // so the ones before were left
    expectOtherServersToLeave(); // which releases the one that keeps its loop

    assertThat(keeping.read().text()).isEqualTo(loop);
    goLeft.release(leftMax);
    for (RawClient client : left) {
      assertThat(client.read().text()).isEqualTo(loop + "-left");
    }
  }

  private void expectOtherServersToLeave() {
    HttpServer other =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/slow")) {
                released.await();
              }
              response.text("fine");
            },
            options -> options.loops(1).limits(limits(1)));
    RawClient slow = servers.connect(other).get("/slow");
    assertThat(servers.connect(other).get("/").read().text()).isEqualTo("fine");
    released.countDown();
    assertThat(slow.read().text()).isEqualTo("fine");
  }
}
