package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

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
    RawClient client = servers.connect(server);

    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/").read().text()).isEqualTo("one");
    }
    client.expectEnd();
  }

  @Test
  void waitsForAHandlerLongerThanForAClient() throws Exception {
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
    RawClient first = servers.connect(server).get("/later");
    RawClient second = servers.connect(server).get("/now");
    assertThat(second.read().text()).isEqualTo("now");
    second.get("/later").send("GET /pipelined");
    Response one = pending.take();
    Response two = pending.take();
    servers.connect(server).expectEnd(); // this long, at least

    one.text("later");
    two.text("later");

    assertThat(first.read().text()).isEqualTo("later");
    assertThat(second.read().text()).isEqualTo("later");
    expectLateHead(second);
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
                .keepAliveTime(LONG)
                .build());
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "abc");
    servers.connect(server).expectEnd();

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
                .keepAliveTime(LONG)
                .build());
    RawClient client = servers.connect(server).send(Requests.postHead("/", 3) + "ab");
    servers.connect(server).expectEnd();

    assertThat(client.send("c").read().text()).isEqualTo("abc");
  }

  @Test
  void cutsAClientThatDoesNotReadItsResponse() throws Exception {
    CountDownLatch handled = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              handled.countDown();
              response.send(LARGE);
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
            Servers.LIMITS.toBuilder().responseRateGrace(SHORT).keepAliveTime(LONG).build());
    List<RawClient> clients =
        Stream.of("/lines", "/blocks", "/whole")
            .map(how -> servers.connect(server, 64 * 1024).get(how))
            .toList();
    servers.connect(server).expectEnd(); // many times the grace

    for (RawClient client : clients) {
      assertThat(client.read().content()).isEqualTo(LARGE);
    }
  }

  @Test
  void doesNotBlameAClientForTheTimeInWhichItsLoopWasBlocked() throws Exception {
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
    RawClient head = servers.connect(server).send("GET /late HTTP/1.1\r\nHost: a\r\n");
    RawClient sender = servers.connect(server);
    sender.send(Requests.postHead("/", begin.length + rest.length)).send(begin);
    begun.await();

    RawClient blocker = servers.connect(server).get("/block");
    blocked.await();
    var sending = sender.sendMeanwhile(rest);
    head.send("\r\n");

    assertThat(blocker.read().text()).isEqualTo("unblocked");
    assertThat(sender.read().text()).isEqualTo("" + (begin.length + rest.length));
    assertThat(head.read().text()).isEqualTo("in time");
    sending.join();
  }

  @Test
  void leavesTimeToReadALastResponse() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(LARGE),
            Servers.LIMITS.toBuilder().keepAliveTime(LONG).build());
    RawClient client = servers.connect(server, 4096);
    client.send("GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
    client.readUntil("\r\n\r\n");
    servers.connect(server).expectEnd();

    assertThat(client.readBytes(LARGE.length)).isEqualTo(LARGE);
    client.expectEnd();
  }

  @Test
  void countsTheKeepAliveTimeFromWhenTheResponseWasTaken() {
    HttpServer server =
        servers.start(
            (request, response) -> response.send(LARGE),
            Servers.LIMITS.toBuilder().keepAliveTime(LONG).build());
    RawClient client = servers.connect(server, 4096).get("/");
    client.readUntil("\r\n\r\n");
    servers.connect(server).expectEnd();

    assertThat(client.readBytes(LARGE.length)).isEqualTo(LARGE);
    assertThat(client.get("/").read().content()).isEqualTo(LARGE);
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
