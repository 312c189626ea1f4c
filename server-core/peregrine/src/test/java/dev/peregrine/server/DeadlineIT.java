package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Times and rates, with small values. Tests assert events, never times: if an event must not
 * happen, another connection that times out is the clock.
 */
final class DeadlineIT {
  /** For clients that do nothing until it has passed. */
  private static final Duration SHORT = Duration.ofMillis(150);

  /** For clients that must be in time, even on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(2);

  private static final byte[] LARGE = Requests.content(8_000_000);

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void endsAConnectionWhoseHeadIsNotCompleteInTime() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().requestHeadTime(SHORT).build());
    RawClient client = servers.connect(server).send("GET / HTTP/1.1\r\nHost: te");

    expectLateHead(client);
  }

  @Test
  void endsAConnectionWhoseHeadIsNotCompleteInTimeAfterAnotherRequest() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().requestHeadTime(SHORT).build());
    RawClient client = servers.connect(server).get("/").send("G");

    assertThat(client.read().status()).isEqualTo(200);
    expectLateHead(client);
  }

  @OnlyHttp1("Http2DeadlinesIT has header blocks that drip")
  @Test
  void answers408ThoughTheHeadKeepsGrowing() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().requestHeadTime(SHORT).build());
    RawClient client = servers.connect(server).send("GET / HTTP/1.1\r\nX: ");
    try {
      while (client.available() == 0) {
        client.send("a");
        LockSupport.parkNanos(1_000_000);
      }
    } catch (UncheckedIOException closedMeanwhile) {
      // The response arrives all the same.
    }

    expect408(client);
  }

  @OnlyHttp1("empty lines")
  @Test
  void givesNoTimeForEmptyLines() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().requestHeadTime(SHORT).build());

    expect408(servers.connect(server).send("\r\n"));
  }

  @Test
  void closesAConnectionThatSendsNothing() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().keepAliveTime(SHORT).build());

    servers.connect(server).expectEnd();
  }

  @Test
  void closesAConnectionThatSendsNothingMore() {
    HttpServer server =
        servers.start(
            (request, response) -> response.text("one"),
            Servers.LIMITS.toBuilder().keepAliveTime(LONG).build());
    byte[] request = Requests.get("/");
    RawClient client =
        beginInTime(
            () -> {
              RawClient begun = servers.connect(server);
              begun.send(Requests.join(request, request, request));
              for (int i = 0; i < 3; i++) {
                assertThat(begun.read().text()).isEqualTo("one");
              }
              return begun;
            });

    client.expectEnd();
  }

  @Test
  void waitsForAHandlerLongerThanForAClient() throws Exception {
    boolean inTime = false;
    while (!inTime) {
      inTime = isAHandlerAwaitedLonger();
    }
  }

  /** Returns false if a slow machine made the clients' requests late. */
  private boolean isAHandlerAwaitedLonger() throws InterruptedException {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/now")) {
                response.text("now");
              } else {
                pending.add(response.async());
              }
            },
            Servers.LIMITS.toBuilder().keepAliveTime(LONG).requestHeadTime(SHORT).build());
    long start = System.nanoTime();
    RawClient first = servers.connect(server);
    boolean sent = first.sendWhileOpen(Requests.get("/later"));
    RawClient second = servers.connect(server);
    sent &=
        second.sendWhileOpen(
            Requests.join(
                Requests.get("/now"), Requests.get("/later"), Requests.bytes("GET /pipelined")));
    if (System.nanoTime() - start >= LONG.toNanos()) {
      return false;
    }
    assertThat(sent).isTrue();
    assertThat(second.read().text()).isEqualTo("now");
    Response one = pending.take();
    Response two = pending.take();
    servers.connect(server).expectEnd(); // this long, at least

    one.text("later");
    two.text("later");

    assertThat(first.read().text()).isEqualTo("later");
    assertThat(second.read().text()).isEqualTo("later");
    expectLateHead(second);
    return true;
  }

  @ParameterizedTest
  @EnumSource(names = {"WHOLE", "BLOCKING"})
  void answers408WhenContentStopsComing(Echo echo) {
    HttpServer server =
        servers.start(
            echo.handler(),
            Servers.LIMITS.toBuilder()
                .requestBytesPerSecondMin(1_000_000_000)
                .responseBytesPerSecondMin(1_000_000_000)
                .requestRateGrace(SHORT)
                .responseRateGrace(SHORT)
                .build());
    RawClient client = servers.connect(server);

    expect408(client.send(Requests.postHead("/", 10) + "abc"));
    expect408(servers.connect(server).send(Requests.chunkedHead("/") + "A\r\nabc"));
    expect408(servers.connect(server).send(Requests.postHead("/", 10)));
  }

  @Test
  void ignoresTheRateOfContentWhileTheHandlerDoesNotReadIt() throws Exception {
    BlockingQueue<String> go = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  go.take();
                  response.send(request.body().inputStream().readAllBytes());
                }),
            Servers.LIMITS.toBuilder()
                .requestBytesPerSecondMin(1_000)
                .responseBytesPerSecondMin(1_000)
                .requestRateGrace(SHORT)
                .responseRateGrace(SHORT)
                .build());
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "abc");
    awaitLong();

    go.add("on");

    assertThat(client.read().text()).isEqualTo("abc");
  }

  @Test
  void ignoresTheRateWithoutALimit() {
    HttpServer server =
        servers.start(
            Echo.WHOLE.handler(),
            Servers.LIMITS.toBuilder()
                .requestBytesPerSecondMin(0)
                .responseBytesPerSecondMin(0)
                .requestRateGrace(SHORT)
                .responseRateGrace(SHORT)
                .build());
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "ab");
    awaitLong();

    assertThat(client.send("c").read().text()).isEqualTo("abc");
  }

  @Test
  void cutsAClientThatDoesNotReadItsResponse() throws Exception {
    CountDownLatch handled = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              handled.countDown();
              response.send(new byte[SystemBuffers.MORE_BYTES]);
            },
            Servers.LIMITS.toBuilder()
                .requestBytesPerSecondMin(1_000_000_000)
                .responseBytesPerSecondMin(1_000_000_000)
                .requestRateGrace(SHORT)
                .responseRateGrace(SHORT)
                .build());
    RawClient client = servers.connect(server, 4096).get("/");
    handled.await();

    Await.until("it is cut", () -> server.connectionCount() == 0);

    client.expectReset();
  }

  @Test
  void notifiesABlockingHandlerThatItsClientWasCut() throws Exception {
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (var out = response.outputStream()) {
                    while (true) {
                      out.write(LARGE, 0, 10_000);
                    }
                  } catch (IOException | IllegalStateException gone) {
                    thrown.add(gone);
                    throw gone;
                  }
                }),
            Servers.LIMITS.toBuilder()
                .requestBytesPerSecondMin(1_000_000_000)
                .responseBytesPerSecondMin(1_000_000_000)
                .requestRateGrace(SHORT)
                .responseRateGrace(SHORT)
                .build());
    RawClient client = servers.connect(server, 4096).get("/");

    assertThat(thrown.take()).isNotNull();
    client.expectClosed();
  }

  /** A client that pauses and then receives is not cut, in whichever way the content is written. */
  @Test
  void waitsForAClientThatPausesLongerThanTheGrace() {
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  if (request.pathIs("/whole")) {
                    response.send(LARGE);
                    return;
                  }
                  int part = request.pathIs("/lines") ? 100 : 65_536;
                  try (var out = response.outputStream()) {
                    for (int from = 0; from < LARGE.length; from += part) {
                      out.write(LARGE, from, Math.min(part, LARGE.length - from));
                      out.flush();
                    }
                  }
                }),
            Servers.LIMITS.toBuilder().responseRateGrace(SHORT).build());
    List<RawClient> clients =
        Stream.of("/lines", "/blocks", "/whole")
            .map(how -> servers.connect(server, 64 * 1024).get(how))
            .toList();
    awaitLong();

    for (RawClient client : clients) {
      assertThat(client.read().content()).isEqualTo(LARGE);
    }
  }

  @Test
  void doesNotBlameAClientForTheTimeInWhichItsLoopWasBlocked() throws Exception {
    boolean inTime = false;
    while (!inTime) {
      inTime = isBlockedTimeForgiven();
    }
  }

  /** Returns false if a slow machine made the clients late before the loop was blocked. */
  private boolean isBlockedTimeForgiven() throws InterruptedException {
    byte[] begin = Requests.content(1_000_000);
    byte[] rest = Requests.content(20_000_000);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch blocked = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/block")) {
                blocked.countDown();
                LockSupport.parkNanos(LONG.multipliedBy(5).dividedBy(2).toNanos());
                response.text("unblocked");
                return;
              }
              if (request.pathIs("/late")) {
                response.text("in time");
                return;
              }
              AtomicInteger received = new AtomicInteger();
              request
                  .body()
                  .receive(
                      Listeners.of(
                          data -> {
                            if (received.addAndGet(data.length()) >= begin.length) {
                              begun.countDown();
                            }
                          },
                          () -> response.text("" + received)));
            },
            options ->
                options
                    .loops(1)
                    .limits(
                        Servers.LIMITS.toBuilder()
                            .requestBytesPerSecondMin(200_000)
                            .requestRateGrace(LONG)
                            .requestHeadTime(LONG)
                            .build()));
    long start = System.nanoTime();
    RawClient sender = servers.connect(server);
    sender.send(Requests.postHead("/", begin.length + rest.length));
    boolean sent = sender.sendWhileOpen(begin);
    Await.until(
        "the content has begun, or was late", () -> begun.getCount() == 0 || sender.hasMore());

    RawClient head = servers.connect(server);
    RawClient blocker = servers.connect(server);
    head.send("GET /late HTTP/1.1\r\nHost: a\r\n");
    blocker.get("/block");
    blocked.await();
    if (System.nanoTime() - start >= LONG.toNanos()) {
      return false;
    }
    assertThat(sent).isTrue();
    var sending = sender.sendMeanwhile(rest);
    head.send("\r\n");

    assertThat(blocker.read().text()).isEqualTo("unblocked");
    assertThat(sender.read().text()).isEqualTo("" + (begin.length + rest.length));
    assertThat(head.read().text()).isEqualTo("in time");
    sending.join();
    return true;
  }

  @Test
  void leavesTimeToReadALastResponse() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(LARGE),
            Servers.LIMITS.toBuilder().keepAliveTime(LONG).build());
    RawClient client = begin(server, "GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    awaitLong();

    assertThat(client.readBytes(LARGE.length)).isEqualTo(LARGE);
    client.expectEnd();
  }

  @Test
  void countsTheKeepAliveTimeFromWhenTheResponseWasTaken() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(LARGE),
            Servers.LIMITS.toBuilder().keepAliveTime(LONG).build());
    boolean inTime; // to send a second request; else again
    do {
      RawClient client = begin(server, "GET / HTTP/1.1\r\nHost: test\r\n\r\n");
      awaitLong();
      long start = System.nanoTime();
      assertThat(client.readBytes(LARGE.length)).isEqualTo(LARGE);
      boolean sent = client.sendWhileOpen(Requests.get("/"));
      inTime = System.nanoTime() - start < LONG.toNanos();
      if (inTime) {
        assertThat(sent).isTrue();
        assertThat(client.read().content()).isEqualTo(LARGE);
      }
    } while (!inTime);
  }

  /** Has a slow reader begin in time. */
  private RawClient begin(HttpServer server, String request) {
    return beginInTime(
        () -> {
          RawClient client = servers.connect(server, 4096).send(request);
          client.readUntil("\r\n\r\n");
          return client;
        });
  }

  /** Has a client begin in time: again with another one if a slow machine made it late. */
  private static RawClient beginInTime(Supplier<RawClient> beginning) {
    while (true) {
      long start = System.nanoTime();
      try {
        return beginning.get();
      } catch (UncheckedIOException ended) {
        if (System.nanoTime() - start < LONG.toNanos()) {
          throw ended;
        }
      }
    }
  }

  @OnlyHttp1("HTTP/2 closes no connection for a malformed request")
  @Test
  void closesAConnectionThatTheClientDoesNotClose() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            Servers.LIMITS.toBuilder().lingerTime(SHORT).build());
    RawClient client = servers.connect(server).send("BAD\r\n\r\n");
    assertThat(client.read().status()).isEqualTo(400);
    client.expectEnd();

    Await.until("it is closed", () -> server.connectionCount() == 0);
  }

  @Test
  void datesAResponseWhenItIsSent() throws Exception {
    BlockingQueue<Response> pending = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start((request, response) -> pending.add(response.async()), o -> o.loops(1));
    RawClient client = servers.connect(server).get("/");
    Response response = pending.take();
    long handled = System.currentTimeMillis() / 1000;
    Await.until("two seconds have passed", () -> System.currentTimeMillis() / 1000 >= handled + 2);

    response.send();

    RawResponse received = client.read();
    assertThat(
            ZonedDateTime.parse(
                    Objects.requireNonNull(received.header("Date")),
                    DateTimeFormatter.RFC_1123_DATE_TIME)
                .toEpochSecond())
        .isGreaterThanOrEqualTo(handled + 2);
  }

  /** Waits as long by the clock of another server, so that no other client must be in time. */
  private void awaitLong() {
    HttpServer clock =
        servers.watch(
            Peregrine.builder()
                .port(0)
                .transport(Servers.TRANSPORT)
                .limits(Servers.LIMITS.toBuilder().keepAliveTime(LONG).build())
                .handler((request, response) -> response.send())
                .start());
    try (RawClient idle = RawClient.connect(clock.address())) {
      idle.expectEnd();
    }
  }

  /** HTTP/2 has no response to a head that is incomplete. */
  private static void expectLateHead(RawClient client) {
    if (Servers.HTTP_2) {
      client.expectEnd();
    } else {
      expect408(client);
    }
  }

  private static void expect408(RawClient client) {
    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(408);
    client.expectLast(response);
  }
}
