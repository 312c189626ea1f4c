package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Responses that don't begin in time, over sockets. */
final class RequestTimeoutIT {
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Response> late = new LinkedBlockingQueue<>();

  /**
   * Starts a server where {@code /late} has that handler and a short time, and the rest is quick.
   */
  private HttpServer start(Handler slow) {
    Handler limited = RequestTimeout.of(SHORT, slow);
    return servers.start(
        (request, response) -> {
          if (request.pathIs("/late")) {
            limited.handle(request, response);
          } else {
            response.text("quick");
          }
        });
  }

  private void expectLogged() {
    assertThat(servers.log().await(Level.WARNING))
        .singleElement()
        .satisfies(line -> assertThat(line.getThrown()).isNull())
        .extracting(ServerLog::describe)
        .asString()
        .endsWith("/late: the response did not begin within 0.03 s");
  }

  /** Sends a response, which is dropped or not even accepted. */
  private static void sendLate(Response response) {
    try {
      response.text("late");
    } catch (IllegalStateException ended) {
      assertThat(ended).hasMessage("the exchange has ended");
    }
  }

  @Test
  void answers503AndDropsWhatComesLate() throws Exception {
    RawClient client =
        servers.connect(
            start(
                (request, response) -> {
                  response.header("X-Secret", "half done").async();
                  late.add(response);
                }));

    RawResponse answer = client.send(Requests.get("/late")).read();
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.text()).isEqualTo("the response did not begin within 0.03 s\n");
    expectLogged();
    sendLate(late.take());

    assertThat(client.send(Requests.get("/")).read().text()).isEqualTo("quick");
  }

  @Test
  void dropsTheFieldsThatTheHandlerSetsElsewhere() {
    RawClient client =
        servers.connect(
            start(
                (request, response) -> {
                  response.async().contentType(ContentType.APPLICATION_JSON);
                  response.header("ETag", "\"of the late response\"");
                }));

    RawResponse answer = client.send(Requests.get("/late")).read();

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.header("ETag")).isNull();
    assertThat(answer.header("Content-Type")).isNotEqualTo("application/json");
    expectLogged();
  }

  @Test
  void leavesAResponseThatHasBegun() {
    HttpServer server =
        start(
            (request, response) -> {
              ResponseStream stream = response.async().stream();
              stream.write(Requests.bytes("begun,")).flush();
              response.onLoopAfter( // after the filter's timer, which was started before
                  SHORT.multipliedBy(2), () -> stream.write(Requests.bytes("ended")).complete());
            });

    assertThat(servers.connect(server).send(Requests.get("/late")).read().text())
        .isEqualTo("begun,ended");
  }

  @Test
  void leavesResponsesThatAreInTime() {
    Handler blocking = Handlers.blocking((request, response) -> response.text("in time"));
    HttpServer server = servers.start(RequestTimeout.of(LONG, blocking));
    RawClient client = servers.connect(server);

    for (int i = 0; i < 10; i++) {
      assertThat(client.send(Requests.get("/")).read().text()).isEqualTo("in time");
    }
  }

  @Test
  void sendsTheResponseOfAHandlerThatHasBlockedTheLoop() {
    HttpServer server =
        start(
            (request, response) -> {
              long end = System.nanoTime() + 2 * SHORT.toNanos();
              while (System.nanoTime() < end) {
                LockSupport.parkNanos(SHORT.toNanos());
              }
              response.text("blocked");
            });
    RawClient client = servers.connect(server);

    assertThat(client.send(Requests.get("/late")).read().text()).isEqualTo("blocked");
    assertThat(client.send(Requests.get("/")).read().text()).isEqualTo("quick");
  }

  @Test
  void notifiesABlockingHandlerWhichIsNotStopped() throws Exception {
    CompletableFuture<IOException> aborted = new CompletableFuture<>();
    CompletableFuture<String> ended = new CompletableFuture<>();
    HttpServer server =
        start(
            Handlers.blocking(
                (request, response) -> {
                  response.onAbort(aborted::complete);
                  aborted.join();
                  sendLate(response);
                  ended.complete("has run to its end");
                }));
    RawClient client = servers.connect(server);

    assertThat(client.send(Requests.get("/late")).read().status()).isEqualTo(503);
    assertThat(ended.get()).isEqualTo("has run to its end");
    assertThat(client.send(Requests.get("/")).read().text()).isEqualTo("quick");
    expectLogged();
  }

  @Test
  void tellsTheHandlerThatItIsLate() {
    CompletableFuture<IOException> aborted = new CompletableFuture<>();
    HttpServer server = start((request, response) -> response.async().onAbort(aborted::complete));

    assertThat(servers.connect(server).send(Requests.get("/late")).read().status()).isEqualTo(503);

    assertThat(aborted.join())
        .cause()
        .isInstanceOf(HttpException.class)
        .hasMessage("the response did not begin within 0.03 s");
    expectLogged();
  }

  @Test
  void endsAnOutputStreamThatHasSentNothing() throws Exception {
    CompletableFuture<IOException> aborted = new CompletableFuture<>();
    CompletableFuture<Exception> thrown = new CompletableFuture<>();
    HttpServer server =
        start(
            Handlers.blocking(
                (request, response) -> {
                  try {
                    OutputStream out = response.onAbort(aborted::complete).outputStream();
                    out.write(1);
                    aborted.join();
                    while (true) {
                      out.write(new byte[1000]);
                    }
                  } catch (IOException | IllegalStateException expected) {
                    thrown.complete(expected);
                  }
                }));
    RawClient client = servers.connect(server);

    assertThat(client.send(Requests.get("/late")).read().status()).isEqualTo(503);
    assertThat(thrown.get()).isNotNull(); // the writing has ended
    expectLogged();
  }

  @Test
  void countsTheTimeInWhichContentIsAwaited() {
    HttpServer server =
        start((request, response) -> request.body().receiveAll(10, content -> response.text("x")));
    RawClient client = servers.connect(server);

    client.send(Requests.postHead("/late", 5)).send("12");

    assertThat(client.read().status()).isEqualTo(503);
    expectLogged();
  }

  @Test
  void endsWithAClientThatVanishes() throws Exception {
    HttpServer server =
        servers.start(
            RequestTimeout.of(
                LONG,
                (request, response) -> {
                  response.async().stream().flush();
                  late.add(response);
                }));
    RawClient client = servers.connect(server).send(Requests.get("/"));
    late.take();

    client.reset(); // Servers checks that nothing is left
  }

  @Test
  void takesPositiveTimes() {
    Handler handler = (request, response) -> response.text("x");
    for (Duration time : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
      assertThatThrownBy(() -> RequestTimeout.of(time, handler))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
