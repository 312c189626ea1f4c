package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Response;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.observe.DrainResult;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The steps of {@link HttpServer#drain}: what changes when, and who may take the next one. */
final class DrainIT {
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
  private final Health health = new Health();
  private HttpServer server;

  @BeforeEach
  void start() {
    server =
        servers.start(
            Routes.builder()
                .get("/readyz", health.readiness())
                .get("/name", (request, response) -> response.text("served"))
                .get("/later", (request, response) -> pending.add(response.async()))
                .get("/upgrade", (request, response) -> response.upgrade("echo", new RawEcho()))
                .post("/", (request, response) -> request.body().receiveAll(100, response::send))
                .get(
                    "/last",
                    (request, response) -> {
                      response.async().onShutdown(() -> response.text("come again"));
                      pending.add(response);
                    })
                .build(),
            options -> options.health(health));
  }

  private CompletableFuture<DrainResult> drain(Duration lameDuck) {
    CompletableFuture<DrainResult> result =
        CompletableFuture.supplyAsync(
            () -> server.drain(lameDuck, PATIENCE), work -> Thread.ofPlatform().start(work));
    Await.until("the server leaves", server.running()::isEnding);
    return result;
  }

  @Test
  void failsReadinessButServesDuringTheLameDuck() {
    RawClient before = servers.connect(server).get("/readyz");
    assertThat(before.read().status()).isEqualTo(200);

    CompletableFuture<DrainResult> drained = drain(LONG);

    RawResponse check = servers.connect(server).get("/readyz").read();
    assertThat(check.status()).isEqualTo(503);
    assertThat(check.text()).isEqualTo("not serving\n");
    assertThat(check.header("Cache-Control")).isEqualTo("no-store");
    assertThat(servers.connect(server).get("/name").read().text()).isEqualTo("served");
    assertThat(drained).isNotDone();
    server.close();
    assertThat(drained.join().isComplete()).isTrue();
  }

  @OnlyHttp1("HTTP/2 has no Connection")
  @Test
  void closesConnectionsAfterTheirResponseDuringTheLameDuck() {
    RawClient kept = servers.connect(server);
    assertThat(kept.get("/name").read().saysClose()).isFalse();

    CompletableFuture<DrainResult> drained = drain(LONG);
    awaitLeft();

    assertThat(kept.get("/name").read().saysClose()).isTrue();
    kept.expectEnd();
    RawClient late = servers.connect(server);
    assertThat(late.get("/name").read().saysClose()).isTrue();
    late.expectEnd();
    server.close();
    assertThat(drained.join().isComplete()).isTrue();
  }

  /** Both loops have noticed. Without a request they would say so at the next one. */
  private void awaitLeft() {
    Await.until(
        "connections are closed",
        () -> {
          try (RawClient one = RawClient.connect(server.address());
              RawClient other = RawClient.connect(server.address())) {
            boolean isClosed = one.get("/name").read().saysClose();
            return other.get("/name").read().saysClose() && isClosed;
          }
        });
  }

  /** A new connection is served to the end of the lame duck, so that its client sees no failure. */
  @Test
  void movesHttp2ConnectionsOnAndServesNewOnes() {
    Http2Client present = servers.connectHttp2(server);

    CompletableFuture<DrainResult> drained = drain(LONG);

    present.pumpUntil(() -> present.goaways().size() == 2);
    assertThat(present.goaways().getFirst().lastStream()).isEqualTo(Integer.MAX_VALUE);
    present.readToEnd();
    present.close();
    Http2Client late = servers.connectHttp2(server);
    assertThat(late.get("/name").text()).isEqualTo("served");
    late.roundTrip();
    assertThat(late.goaways()).isEmpty();

    CompletableFuture<DrainResult> sooner = drain(Duration.ZERO);

    late.pumpUntil(() -> late.goaways().size() == 2);
    late.readToEnd();
    late.close();
    assertThat(sooner.join().isComplete()).isTrue();
    assertThat(drained.join()).isEqualTo(sooner.join());
  }

  @Test
  void notifiesLongResponsesWhenTheLameDuckIsOver() throws Exception {
    RawClient client = servers.connect(server).get("/last");
    Response last = pending.take();

    CompletableFuture<DrainResult> drained = drain(LONG);
    assertThat(servers.connect(server).get("/name").read().text()).isEqualTo("served");
    assertThat(last.isCommitted()).isFalse();
    CompletableFuture<DrainResult> sooner = drain(Duration.ZERO);

    assertThat(client.read().text()).isEqualTo("come again");
    client.close();
    assertThat(drained.join().isComplete()).isTrue();
    assertThat(sooner.join().isComplete()).isTrue();
  }

  @Test
  void refusesConnectionsAfterTheLameDuck() throws Exception {
    RawClient client = servers.connect(server).get("/later");
    Response later = pending.take();

    CompletableFuture<DrainResult> drained = drain(Duration.ofMillis(1));
    Await.until("the server drains", server.running().end()::isDraining);

    assertThatThrownBy(() -> new Socket(server.address().getAddress(), server.port()).close())
        .isInstanceOf(IOException.class);
    later.text("done");
    assertThat(client.read().text()).isEqualTo("done");
    client.close();
    assertThat(drained.join().isComplete()).isTrue();
  }

  @Test
  void countsWhatItCutsWithoutPatience() throws Exception {
    RawClient upgraded =
        servers
            .connect(server)
            .send(
                Requests.lines(
                    "GET /upgrade HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"));
    upgraded.readUntil("\r\n\r\n");
    servers.connect(server).get("/later");
    pending.take();

    DrainResult result = server.drain(Duration.ZERO, Duration.ZERO);

    assertThat(result.isComplete()).isFalse();
    assertThat(result.unansweredRequests()).isEqualTo(1);
    assertThat(result.upgradedConnections()).isEqualTo(1);
    assertThat(result.incompleteRequests() + result.incompleteResponses()).isZero();
    assertThat(result.blockedLoops()).isZero();
    assertThat(server.drain(LONG, LONG)).isEqualTo(result);
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @Test
  void countsEachStreamOfAConnection() throws Exception {
    Http2Client client = servers.connectHttp2(server);
    int ignored = client.request("GET", "/later") + client.request("GET", "/later");
    pending.take();
    pending.take();

    DrainResult result = server.drain(Duration.ZERO, Duration.ZERO);

    assertThat(result.unansweredRequests()).isEqualTo(2);
    assertThat(servers.log().await(Level.WARNING)).hasSize(1);
  }

  @Test
  void waitsForItsLoopsEvenIfInterrupted() {
    Thread.currentThread().interrupt();
    try {
      server.close();
      DrainResult result = server.drain(LONG, LONG);

      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      assertThat(result.isComplete()).isTrue();
    } finally {
      boolean ignored = Thread.interrupted(); // the thread runs other tests
    }
  }

  @Test
  void closesAtOnceIfItIsInterrupted() throws Exception {
    CompletableFuture<Boolean> keptInterrupt = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  DrainResult ignored = server.drain(LONG, LONG);
                  keptInterrupt.complete(Thread.currentThread().isInterrupted());
                });
    Await.until("the server leaves", server.running()::isEnding);

    caller.interrupt();

    assertThat(keptInterrupt.join()).isTrue();
    assertThat(server.running().end().isClosed()).isTrue();
  }

  @Test
  void isRejectedOnAnEventLoop() {
    HttpServer[] itself = new HttpServer[1];
    itself[0] =
        servers.start(
            (request, response) -> {
              try {
                DrainResult ignored = itself[0].drain(LONG, LONG);
              } catch (IllegalStateException onLoop) {
                response.text("" + onLoop.getMessage());
              }
            });

    assertThat(servers.connect(itself[0]).get("/").read().text()).contains("event loop");
    assertThat(itself[0].running().isEnding()).isFalse();
  }
}
