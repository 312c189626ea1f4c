package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Response;
import dev.peregrine.http.ScheduledWork;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work on the event loop at once and after a delay. */
final class TimersIT {
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration LATE = Duration.ofHours(1);

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  @Test
  void runWorkNotBeforeItsTime() throws Exception {
    BlockingQueue<Long> delays = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              long began = System.nanoTime();
              response.onLoopAfter(
                  SOON,
                  () -> {
                    delays.add(System.nanoTime() - began);
                    response.text("later");
                  });
            });

    assertThat(servers.connect(server).send(Requests.get("/")).read().text()).isEqualTo("later");
    assertThat(delays.take()).isGreaterThanOrEqualTo(SOON.toNanos());
  }

  /** A delay begins at its call: if the calls take too long, the times have another order. */
  @Test
  void runInTheOrderOfTheirTimes() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              List<String> order = new ArrayList<>();
              long began = System.nanoTime();
              response.onLoopAfter(SOON.multipliedBy(2), () -> order.add("third"));
              response.onLoopAfter(SOON, () -> order.add("second"));
              response.onLoopAfter(Duration.ZERO, () -> order.add("first"));
              boolean late = System.nanoTime() - began >= SOON.toNanos();
              response.onLoopAfter(
                  SOON.multipliedBy(3),
                  () -> response.text(late ? "late" : String.join(", ", order)));
            });
    RawClient client = servers.connect(server);

    String order = "late";
    while (order.equals("late")) {
      order = client.send(Requests.get("/")).read().text();
    }

    assertThat(order).isEqualTo("first, second, third");
  }

  @Test
  void areCancelledOnAnyThread() throws Exception {
    BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> responses.add(response.async()));
    RawClient client = servers.connect(server).send(Requests.get("/"));
    Response response = responses.take();
    CountDownLatch held = new CountDownLatch(1);
    CompletableFuture<Boolean> release = new CompletableFuture<>();
    response.onLoop(
        () -> {
          held.countDown();
          assertThat(release.join()).isTrue();
        });
    held.await(); // while the loop is held, no work comes before it is cancelled

    ScheduledWork cancelled = response.onLoopAfter(SOON, () -> events.add("cancelled"));
    cancelled.cancel();
    cancelled.cancel();
    response.onLoop(response.onLoopAfter(SOON, () -> events.add("never"))::cancel);
    response.onLoopAfter(SOON.multipliedBy(2), () -> response.text("done"));
    release.complete(true);

    assertThat(client.read().text()).isEqualTo("done");
    assertThat(events).isEmpty();
    cancelled.cancel();
  }

  @Test
  void endWithTheExchange() throws Exception {
    BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.onLoopAfter(SOON, () -> events.add(request.path()));
              response.onLoopAfter(LATE, () -> events.add(request.path()));
              responses.add(response.async());
              response.text(request.path());
            });
    RawClient client = servers.connect(server);
    for (int i = 0; i < 20; i++) {
      assertThat(client.send(Requests.get("/" + i)).read().text()).isEqualTo("/" + i);
    }
    Response ended = responses.take();
    ended.onLoopAfter(Duration.ZERO, () -> events.add("after the end"));

    awaitTimers(server);

    assertThat(events).isEmpty();
  }

  /** Waits until later timers than those of the test have run on each loop. */
  private void awaitTimers(HttpServer server) {
    for (int i = 0; i < 4; i++) {
      servers.connect(server).send(Requests.get("/")).read();
    }
    HttpServer other =
        servers.start(
            (request, response) ->
                response.async().onLoopAfter(SOON.multipliedBy(3), () -> response.text("done")));
    servers.connect(other).send(Requests.get("/")).read();
  }

  @Test
  void failTheExchangeByWhatTheirWorkThrows() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response
                    .async()
                    .onLoopAfter(
                        SOON,
                        () -> {
                          throw new dev.peregrine.http.HttpException(418, "test");
                        }));

    assertThat(servers.connect(server).send(Requests.get("/")).read().status()).isEqualTo(418);
  }

  @Test
  void rejectNegativeDelaysAndAcceptVeryLongOnes() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatIllegalArgumentException()
                  .isThrownBy(() -> response.onLoopAfter(Duration.ofNanos(-1), () -> {}))
                  .withMessageContaining("-0.000001 ms");
              response
                  .async()
                  .onLoopAfter(Duration.ofSeconds(Long.MAX_VALUE), () -> events.add("in 50 years"));
              response.onLoopAfter(SOON, () -> response.text("ok"));
            });

    assertThat(servers.connect(server).send(Requests.get("/")).read().text()).isEqualTo("ok");
    assertThat(events).isEmpty();
  }

  @Test
  void serveManyExchangesAtATime() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async().onLoopAfter(LATE, () -> events.add("late"));
              response.onLoopAfter(SOON, () -> response.text(request.path()));
            });
    RawClient[] clients = new RawClient[200];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = servers.connect(server).send(Requests.get("/" + i));
    }
    for (int i = 0; i < clients.length; i++) {
      assertThat(clients[i].read().text()).isEqualTo("/" + i);
    }
  }

  // ---- connections that have left HTTP ----

  private RawClient upgrade(Consumer<RawConnection> onOpen) {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.upgrade(
                    "x",
                    new RawListener() {
                      @Override
                      public void onOpen(RawConnection connection) {
                        onOpen.accept(connection);
                      }

                      @Override
                      public void onData(RawConnection connection, Bytes data) {}

                      @Override
                      public void onEnd(RawConnection connection) {
                        connection.end();
                      }
                    }));
    RawClient client = servers.connect(server);
    client.send(
        Requests.lines("GET / HTTP/1.1", "Host: test", "Connection: Upgrade", "Upgrade: x"));
    assertThat(client.read().status()).isEqualTo(101);
    return client;
  }

  @Test
  void runOnAConnectionThatHasLeftHttp() {
    RawClient client =
        upgrade(
            connection -> {
              connection.onLoopAfter(LATE, () -> events.add("late"));
              connection.onLoopAfter(SOON, () -> events.add("never")).cancel();
              connection.onLoop(
                  () -> {
                    connection.write(Requests.bytes("soon "));
                    connection.onLoopAfter(
                        SOON,
                        () -> {
                          connection.write(Requests.bytes("later"));
                          connection.end();
                        });
                  });
            });

    assertThat(client.readUntil("later")).isEqualTo("soon later");
    client.expectEnd();
    assertThat(events).isEmpty();
  }
}
