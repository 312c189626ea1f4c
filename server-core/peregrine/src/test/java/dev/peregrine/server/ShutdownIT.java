package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.RawConnection;
import dev.peregrine.http.Response;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a server: in order with {@code shutdown}, at once with {@code close}. */
final class ShutdownIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final byte[] LARGE = Requests.content(8_000_000);

  /**
   * For clients whose request must be in time, though it comes after the shutdown has begun, and
   * after as many handshakes as a busy machine needs long for.
   */
  private static final ServerLimits PATIENT =
      Servers.LIMITS.toBuilder().shutdownIdleTime(PATIENCE).handshakeTime(PATIENCE).build();

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void answersRequestsUnderWayWithConnectionClose() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/");
    Response response = pending.take();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);
    response.text("last words");

    RawResponse last = client.read();
    assertThat(last.text()).isEqualTo("last words");
    assertThat(last.saysClose()).isTrue();
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void answersARequestWhoseHeadOrContentWasComing() throws Exception {
    HttpServer server = servers.start(Echo.WHOLE.handler());
    RawClient inHead = servers.connect(server).send("GET / HTTP/1.1\r\nHo");
    RawClient inContent = servers.connect(server).send(Requests.postHead("/", 6) + "abc");
    Await.until("both have been accepted", () -> server.connectionCount() == 2);
    // Once a later connection of each loop has been served, the bytes have been read.
    serveEachLoop(server);

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);
    inHead.send("st: test\r\n\r\n");
    inContent.send("def");

    assertThat(inHead.read().saysClose()).isTrue();
    RawResponse echoed = inContent.read();
    assertThat(echoed.text()).isEqualTo("abcdef");
    assertThat(echoed.saysClose()).isTrue();
    inHead.expectEnd();
    inContent.expectEnd();
    inHead.close();
    inContent.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void finishesAResponseThatIsBeingRead() {
    HttpServer server = servers.start((request, response) -> response.send(LARGE));
    RawClient client = servers.connect(server, 4096).get("/");
    client.readUntil("\r\n\r\n");

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);

    assertThat(client.readBytes(LARGE.length)).isEqualTo(LARGE);
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void answersNoMoreThanOnePipelinedRequest() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server);
    client.send(Requests.join(Requests.get("/1"), Requests.get("/2")));
    Response response = pending.take();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);
    response.text("one");

    assertThat(client.read().saysClose()).isTrue();
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
    assertThat(pending).isEmpty();
  }

  @Test
  void closesIdleConnections() {
    HttpServer server = servers.start((request, response) -> response.text("one"));
    List<RawClient> idle = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      RawClient client = servers.connect(server);
      if (i % 2 == 0) {
        assertThat(client.get("/").read().text()).isEqualTo("one");
      }
      idle.add(client);
    }
    Await.until("all have been accepted", () -> server.connectionCount() == 10);

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    for (RawClient client : idle) {
      client.expectEnd();
      client.close();
    }
    assertThat(drained.join()).isTrue();
  }

  /** Connections that the system has completed, and that no loop has accepted yet. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void servesConnectionsThatWaitToBeAccepted(boolean reusePort) throws Exception {
    Servers.assumeHandshakesCanWait();
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/block")) {
                blocked.countDown();
                release.await();
              }
              response.text("served");
            },
            options ->
                options
                    .loops(1)
                    .reusePort(reusePort)
                    .limits(PATIENT)); // with TLS, a request comes only after a handshake
    RawClient blocker = servers.connect(server).get("/block");
    blocked.await();
    List<RawClient> waiting = new ArrayList<>();
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      RawClient client = servers.connectBeforeHandshake(server);
      waiting.add(client);
      sent.add(client.sendMeanwhile(Requests.get("/"))); // with TLS, once the loop is free
    }

    if (!Servers.TLS) {
      sent.forEach(CompletableFuture::join);
    }
    CompletableFuture<Boolean> drained = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform().start(() -> drained.complete(server.shutdown(PATIENCE).isComplete()));
    Await.until("shutdown waits for the loop", () -> isWaiting(caller));
    release.countDown();

    blocker.read();
    blocker.close();
    for (int i = 0; i < waiting.size(); i++) {
      sent.get(i).join();
      assertThat(waiting.get(i).read().text()).isEqualTo("served");
      waiting.get(i).close();
    }
    assertThat(drained.join()).isTrue();
  }

  @OnlyHttp1("a client of HTTP/2 sends nothing after GOAWAY")
  @Test
  void answersAFirstRequestThatArrivesAfterItStoppedListening() {
    HttpServer server = servers.start((request, response) -> response.text("first"), PATIENT);
    RawClient client = servers.connect(server);
    Await.until("it has been accepted", () -> server.connectionCount() == 1);

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);

    RawResponse first = client.get("/").read();
    assertThat(first.text()).isEqualTo("first");
    assertThat(first.saysClose()).isTrue();
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @OnlyHttp1("a client of HTTP/2 sends nothing after GOAWAY")
  @Test
  void answersARequestThatMeetsTheEndOfAnIdleConnection() {
    HttpServer server =
        servers.start((request, response) -> response.text(request.path()), PATIENT);
    RawClient client = servers.connect(server);
    assertThat(client.get("/1").read().saysClose()).isFalse();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);

    RawResponse last = client.get("/2").read();
    assertThat(last.text()).isEqualTo("/2");
    assertThat(last.saysClose()).isTrue();
    client.expectEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  /** A connection is counted before its loop has time for it. */
  @Test
  void countsAConnectionOnItsWayToItsLoop() throws Exception {
    Servers.assumeHandshakesCanWait();
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/block")) {
                blocked.countDown();
                release.await();
              }
              response.send();
            });
    RawClient onFirst = servers.connect(server);
    onFirst.get("/").read();
    RawClient onSecond = servers.connect(server).get("/block");
    blocked.await();
    RawClient alsoOnFirst = servers.connect(server);
    alsoOnFirst.get("/").read();

    RawClient onItsWay = servers.connectBeforeHandshake(server);

    Await.until("all are counted", () -> server.connectionCount() == 4);
    release.countDown();
    for (RawClient client : List.of(onFirst, onItsWay, alsoOnFirst)) {
      assertThat(client.get("/").read().status()).isEqualTo(200);
    }
    onSecond.read();
    assertThat(server.connectionCount()).isEqualTo(4);
  }

  @Test
  void givesUpWhenItsPatienceIsOver() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server = servers.start((request, response) -> pending.add(response.async()));
    RawClient client = servers.connect(server).get("/");
    pending.take();

    assertThat(server.shutdown(Duration.ofMillis(50)).isComplete()).isFalse();

    client.expectClosed();
    assertThat(server.connectionCount()).isZero();
    assertThat(servers.log().await(Level.WARNING))
        .singleElement()
        .extracting(LogRecord::getMessage)
        .asString()
        .endsWith("cut short: requests without a response 1");
  }

  /**
   * Idle connections, and those that a client keeps open after its last response, aren't counted.
   */
  @Test
  void countsWhatItCutsShortByReason() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/large" -> response.send(new byte[SystemBuffers.MORE_BYTES]);
                case "/upgrade" -> response.upgrade("echo", new RawEcho());
                case "/echo" -> Echo.WHOLE.handler().handle(request, response);
                case "/later" -> pending.add(response.async());
                default -> response.text("done");
              }
            },
            Servers.LIMITS.toBuilder().lingerTime(PATIENCE).build());
    servers.connect(server);
    servers.connect(server).get("/").read();
    servers.connect(server).send(Requests.lines("GET / HTTP/1.1", "Host: a", "Connection: close"));
    servers.connect(server).send("GET / HTTP/1.1\r\nHo");
    servers.connect(server).send(Requests.postHead("/echo", 6) + "abc");
    servers.connect(server).get("/later");
    servers.connect(server, 4096).get("/large").readUntil("\r\n\r\n");
    servers
        .connect(server)
        .send(
            Requests.lines(
                "GET /upgrade HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"))
        .readUntil("\r\n\r\n");
    pending.take();
    serveEachLoop(server);
    // A client of HTTP/2 closes after its last response.
    int count = Servers.HTTP_2 ? 7 : 8;
    Await.until("all are counted", () -> server.connectionCount() >= count);

    assertThat(server.shutdown(Duration.ofMillis(50)).isComplete()).isFalse();

    assertThat(servers.log().await(Level.WARNING))
        .singleElement()
        .extracting(LogRecord::getMessage)
        .asString()
        .endsWith(
            "cut short: requests not received to their end 2, requests without a response 1, "
                + "responses not sent to their end 1, upgraded connections 1");
  }

  @Test
  void notifiesResponsesWithoutANaturalEnd() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async().onShutdown(() -> response.text("come again"));
              pending.add(response);
            });
    RawClient client = servers.connect(server).get("/");
    pending.take();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    assertThat(client.read().text()).isEqualTo("come again");
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @OnlyHttp1("a client of HTTP/2 sends nothing after GOAWAY")
  @Test
  void notifiesAResponseThatBeginsLater() {
    HttpServer server =
        servers.start(
            (request, response) -> response.async().onShutdown(() -> response.text("come again")),
            PATIENT);
    RawClient late = servers.connect(server);
    Await.until("it has been accepted", () -> server.connectionCount() == 1);

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    Await.until("the server drains", server.running().end()::isDraining);

    assertThat(late.get("/").read().text()).isEqualTo("come again");
    late.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void notifiesUpgradedConnections() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.upgrade(
                    "echo",
                    new IgnoringListener() {
                      @Override
                      public void onShutdown(RawConnection connection) {
                        connection.write(Requests.bytes("bye")).end();
                      }
                    }));
    RawClient client =
        servers
            .connect(server)
            .send(
                Requests.lines(
                    "GET / HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo"));
    client.readUntil("\r\n\r\n");

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    assertThat(client.readToEnd()).isEqualTo(Requests.bytes("bye"));
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void doesNotWaitForSilentConnections() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().shutdownIdleTime(Duration.ofMillis(20)).build());
    for (int i = 0; i < 50; i++) {
      servers.connect(server); // keeps its end open
    }

    assertThat(server.shutdown(PATIENCE).isComplete()).isTrue();
  }

  @Test
  void drainsAServerThatHasNothingToDo() {
    HttpServer server = servers.start((request, response) -> response.send());

    assertThat(server.shutdown(PATIENCE).isComplete()).isTrue();
    assertThat(server.shutdown(PATIENCE).isComplete()).isTrue();
    server.close();
  }

  private void serveEachLoop(HttpServer server) {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      clients.add(servers.expectUnharmed(server));
    }
    clients.forEach(RawClient::close);
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }
}
