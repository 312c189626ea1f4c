package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Response;
import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.observe.DrainResult;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import dev.peregrine.testing.http2.Http2Code;
import dev.peregrine.testing.http2.Http2Frame;
import dev.peregrine.testing.http2.Http2Response;
import dev.peregrine.testing.http2.Site;
import dev.peregrine.testing.http2.WaitingSite;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The orderly end of connections: GOAWAY in two steps, and no request is lost. */
final class Http2DrainIT {
  /** How long the server waits for a client to acknowledge the announcement. */
  private static final long ANNOUNCED_NANOS = TimeUnit.SECONDS.toNanos(1);

  @RegisterExtension final Servers servers = new Servers();

  private final WaitingSite site = new WaitingSite();
  private HttpServer server;
  private Http2Client client;

  @BeforeEach
  void start() {
    server = servers.start(site);
    client = servers.connectHttp2(server);
  }

  @Test
  void announcesTheEndThenNamesTheLastStream() throws Exception {
    int stream = client.request("GET", "/wait");
    Response response = site.pending().take();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    client.pumpUntil(() -> client.goaways().size() == 1);
    assertThat(client.goaways().getFirst().lastStream()).isEqualTo(Integer.MAX_VALUE);
    assertThat(client.goaways().getFirst().code()).isEqualTo(Http2Code.NO_ERROR);
    client.pumpUntil(() -> client.goaways().size() == 2);
    assertThat(client.goaways().getLast().lastStream()).isEqualTo(stream);

    response.text("late");
    assertThat(client.await(stream).text()).isEqualTo("late");
    client.expectGoaway(Http2Code.NO_ERROR);
    client.close();
    assertThat(drained.join()).isTrue();
  }

  /** Requests that were on their way when the server sent the first GOAWAY. */
  @Test
  void answersRequestsThatCrossTheAnnouncement() {
    boolean inTime = requestsCrossTheAnnouncement();
    while (!inTime) {
      start();
      inTime = requestsCrossTheAnnouncement();
    }
  }

  /** Returns false if a slow machine sent them later than the server waits for them. */
  private boolean requestsCrossTheAnnouncement() {
    long start = System.nanoTime();
    client.withoutAcks();
    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    client.pumpUntil(() -> client.goaways().size() == 1);

    int first;
    int second;
    try {
      first = client.request("GET", "/");
      second = client.begin("POST", "/echo");
      client.content(second, Requests.bytes("abc"), true);
    } catch (UncheckedIOException closed) {
      if (System.nanoTime() - start >= ANNOUNCED_NANOS) {
        return false;
      }
      throw closed;
    }
    if (System.nanoTime() - start >= ANNOUNCED_NANOS) {
      return false;
    }

    assertThat(client.await(first).text()).isEqualTo("hello");
    assertThat(client.await(second).text()).isEqualTo("abc");
    assertThat(client.expectGoaway(Http2Code.NO_ERROR).lastStream()).isEqualTo(second);
    client.close();
    assertThat(drained.join()).isTrue();
    return true;
  }

  /** The client has seen that the server leaves, but the loop of its connection hasn't yet. */
  @Test
  void sendsNoGoawayToAConnectionThatIsNewerThanTheLameDuck() throws Exception {
    Health health = new Health();
    HttpServer leaving = servers.start(site, options -> options.loops(1).health(health));
    BlockingQueue<CountDownLatch> held = new LinkedBlockingQueue<>();
    List<Http2Client> before = new ArrayList<>();
    List<Response> responses = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      before.add(servers.connectHttp2(leaving));
      before.getLast().request("GET", "/wait");
      responses.add(site.pending().take());
    }
    responses.forEach(response -> response.onLoop(() -> hold(held)));
    CountDownLatch beforeAccept = held.take();
    CompletableFuture<DrainResult> drained = drain(leaving, Duration.ofMinutes(10));
    Await.until("the server leaves", () -> !health.isReady());

    Http2Client late = servers.connectHttp2Silently(leaving).send(Http2Client.PREFACE).declare();
    beforeAccept.countDown(); // the loop accepts, and is held up again
    held.take().countDown(); // it reads the preface, and then leaves

    late.pumpUntil(() -> late.settingsAcks() == 1);
    before.getLast().pumpUntil(() -> before.getLast().goaways().size() == 2);
    late.roundTrip();
    assertThat(late.goaways()).isEmpty();
    assertThat(late.get("/").text()).isEqualTo("hello");
    responses.forEach(response -> response.text("done"));
    before.forEach(Http2Client::readToEnd);
    late.close();
    before.forEach(Http2Client::close);
    assertThat(drain(leaving, Duration.ZERO).join().isComplete()).isTrue();
    assertThat(drained.join().isComplete()).isTrue();
  }

  private static CompletableFuture<DrainResult> drain(HttpServer server, Duration lameDuck) {
    return CompletableFuture.supplyAsync(
        () -> server.drain(lameDuck, Duration.ofMinutes(1)),
        work -> Thread.ofPlatform().start(work));
  }

  /**
   * Holds the loop up until the test counts the latch down that it takes, and for more than a time
   * slice, so that the loop polls before it runs the next task.
   */
  private static void hold(BlockingQueue<CountDownLatch> held) {
    long began = System.nanoTime();
    CountDownLatch go = new CountDownLatch(1);
    held.add(go);
    try {
      go.await();
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
    while (System.nanoTime() - began <= 2 * TimeSlice.NANOS_MAX) {
      Thread.onSpinWait();
    }
  }

  @Test
  void refusesRequestsAfterTheLastStreamIsNamed() throws Exception {
    int held = client.request("GET", "/wait");
    Response response = site.pending().take();
    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    client.pumpUntil(() -> client.goaways().size() == 2);

    int late = client.request("GET", "/");

    client.expectReset(late, Http2Code.REFUSED_STREAM);
    response.text("done");
    assertThat(client.await(held).text()).isEqualTo("done");
    client.readToEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void finishesAnUploadAndADownload() {
    int up = client.begin("POST", "/echo");
    client.content(up, Requests.bytes("abc"), false);
    client.withoutCredit();
    int down = client.request("GET", "/large");
    client.pumpUntil(() -> client.windows().fromServer(0) < 10_000);

    CompletableFuture<Boolean> drained = Servers.shutdown(server);
    client.pumpUntil(() -> client.goaways().size() == 2);
    client.grant(0, 2 << 20).grant(down, 2 << 20);
    client.content(up, Requests.bytes("def"), true);

    assertThat(client.await(up).text()).isEqualTo("abcdef");
    assertThat(client.await(down).content()).isEqualTo(Site.LARGE);
    client.expectGoaway(Http2Code.NO_ERROR);
    client.close();
    assertThat(drained.join()).isTrue();
  }

  @Test
  void endsAConnectionAfterItsLastRequest() {
    Http2Client limited =
        servers.connectHttp2(
            servers.start(site, Servers.LIMITS.toBuilder().requestsPerConnectionMax(2).build()));
    assertThat(limited.get("/").text()).isEqualTo("hello");
    limited.roundTrip();
    assertThat(limited.goaways()).isEmpty();

    Http2Response last = limited.get("/");

    assertThat(last.text()).isEqualTo("hello");
    assertThat(limited.expectGoaway(Http2Code.NO_ERROR).lastStream()).isEqualTo(last.stream());
  }

  @Test
  void closesIdleConnections() {
    List<Http2Client> idle = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      idle.add(servers.connectHttp2(server));
    }
    idle.getFirst().expectServed();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    idle.add(client);
    for (Http2Client one : idle) {
      one.expectGoaway(Http2Code.NO_ERROR);
      one.close();
    }
    assertThat(drained.join()).isTrue();
  }

  @Test
  void closesAConnectionWhoseClientDoesNotAnswer() {
    client.withoutAcks();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    client.expectGoaway(Http2Code.NO_ERROR);
    client.close();
    assertThat(drained.join()).isTrue();
  }

  /** Many clients send all the time; each request is answered, or said not to be handled. */
  @Test
  void losesNoRequestOfBusyClients() {
    List<Http2Client> busy = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      busy.add(servers.connectHttp2(server));
    }
    List<CompletableFuture<Integer>> served = new ArrayList<>();
    for (Http2Client one : busy) {
      served.add(
          CompletableFuture.supplyAsync(
              () -> serveUntilGoaway(one), work -> Thread.ofPlatform().start(work)));
    }
    neighbourIsServed();

    CompletableFuture<Boolean> drained = Servers.shutdown(server);

    for (CompletableFuture<Integer> one : served) {
      assertThat(one.join()).isNotNegative();
    }
    client.readToEnd();
    client.close();
    assertThat(drained.join()).isTrue();
  }

  private void neighbourIsServed() {
    for (int i = 0; i < 100; i++) {
      client.expectServed();
    }
  }

  private static int serveUntilGoaway(Http2Client client) {
    int served = 0;
    while (client.goaways().isEmpty()) {
      Http2Response response = client.response(client.request("GET", "/"));
      while (!response.isOver() && client.next() != null) {
        // reads on
      }
      if (response.status() == 200) {
        assertThat(response.isComplete()).isTrue();
        served++;
      } else { // this client was late
        assertThat(client.goaways().getLast().lastStream()).isLessThan(response.stream());
      }
    }
    client.readToEnd();
    Http2Frame last = client.goaways().getLast();
    assertThat(last.code()).isEqualTo(Http2Code.NO_ERROR);
    client.close();
    return served;
  }

  @Test
  void answersTheStreamsOfAClientThatSaysGoodbye() throws Exception {
    int stream = client.request("GET", "/wait");
    client.send(Http2Frame.goaway(0, Http2Code.NO_ERROR));

    site.pending().take().text("still");

    assertThat(client.await(stream).text()).isEqualTo("still");
    client.readToEnd();
  }

  @Test
  void answersTheStreamsOfAClientThatEndsItsSide() throws Exception {
    int stream = client.request("GET", "/wait");
    Response response = site.pending().take();
    client.halfClose();

    response.text("still");

    assertThat(client.await(stream).text()).isEqualTo("still");
    client.readToEnd();
  }

  @Test
  void closesAtOnceIfItIsTold() throws Exception {
    client.request("GET", "/wait");
    site.pending().take();

    server.close();

    client.readToEnd();
  }
}
