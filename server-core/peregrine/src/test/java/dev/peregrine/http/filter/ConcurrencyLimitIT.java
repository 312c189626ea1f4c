package dev.peregrine.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Seeds;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bounded number of requests at a time, over sockets. */
final class ConcurrencyLimitIT {
  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension final Servers servers = new Servers();

  /** A response that a handler has begun to work on, and the path of its request. */
  private record Begun(String path, Response response) {
    void end() {
      response.text(path);
    }
  }

  private final BlockingQueue<Begun> begun = new LinkedBlockingQueue<>();
  private final Handler later =
      (request, response) -> begun.add(new Begun(request.path(), response.async()));

  static ConcurrencyLimit limit(Handler handler, int concurrentMax, int queueMax) {
    return ConcurrencyLimit.builder(handler)
        .concurrentMax(concurrentMax)
        .queueMax(queueMax)
        .queueTime(LONG)
        .build();
  }

  private RawClient get(HttpServer server, String path) {
    return servers.connect(server).send(Requests.get(path));
  }

  static void awaitState(ConcurrencyLimit limit, int inUse, int queued) {
    Await.until(
        () -> inUse + " and " + queued + ", but " + limit.inUse() + " and " + limit.queued(),
        () -> limit.inUse() == inUse && limit.queued() == queued);
  }

  @Test
  void servesQueuesAndSheds() throws Exception {
    ConcurrencyLimit limit = limit(later, 2, 1);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();
    RawClient second = get(server, "/2");
    Begun two = begun.take();
    RawClient third = get(server, "/3");
    awaitState(limit, 2, 1);

    RawResponse shed = get(server, "/4").read();
    assertThat(shed.status()).isEqualTo(503);
    assertThat(shed.header("Retry-After")).isEqualTo("1");
    assertThat(begun).isEmpty();

    one.end();
    assertThat(first.read().text()).isEqualTo("/1");
    begun.take().end();
    assertThat(third.read().text()).isEqualTo("/3");
    two.end();
    assertThat(second.read().text()).isEqualTo("/2");
    awaitState(limit, 0, 0);
  }

  @Test
  void servesInTheOrderOfArrival() throws Exception {
    ConcurrencyLimit limit = limit(later, 1, 6);
    // On one loop the next request arrives after the last one has its place.
    HttpServer server = servers.start(limit, options -> options.loops(1));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      clients.add(get(server, "/" + i));
      awaitState(limit, 1, i);
    }

    for (int i = 0; i < 7; i++) {
      Begun next = begun.take();
      assertThat(next.path()).isEqualTo("/" + i);
      next.end();
      assertThat(clients.get(i).read().text()).isEqualTo("/" + i);
    }
  }

  /** As a handler finds it that was left, and whose client has gone meanwhile. */
  @Test
  void returnsAPermitOnceIfTheExchangeEndsBeforeItIsMeasured() {
    ConcurrencyLimit limit =
        ConcurrencyLimit.builder(later).latencyMax(LONG).concurrentMin(2).build();
    Handler ended =
        (request, response) ->
            limit.handle(
                request,
                new ForwardingResponse(response) {
                  @Override
                  public Response beforeCommit(Runnable callback) {
                    throw new IllegalStateException("the exchange has ended");
                  }
                });
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/next")) {
                response.text("next");
              } else {
                ended.handle(request, response);
              }
            });
    RawClient client = get(server, "/");

    assertThat(client.read().status()).isEqualTo(500);
    assertThat(client.send(Requests.get("/next")).read().text()).isEqualTo("next");
    assertThat(limit.inUse()).isZero();
    servers.log().expectOne(Level.SEVERE, "the exchange has ended");
  }

  @Test
  void shedsWithoutAQueue() throws Exception {
    ConcurrencyLimit limit =
        ConcurrencyLimit.builder(later)
            .concurrentMax(1)
            .queueMax(0)
            .retryAfter(Duration.ofSeconds(30))
            .build();
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();

    assertThat(get(server, "/2").read().header("Retry-After")).isEqualTo("30");
    one.end();
    assertThat(first.read().text()).isEqualTo("/1");
  }

  @Test
  void shedsAfterTheTimeInTheQueue() throws Exception {
    ConcurrencyLimit limit =
        ConcurrencyLimit.builder(later).concurrentMax(1).queueTime(Duration.ofMillis(20)).build();
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();

    RawResponse shed = get(server, "/2").read();

    assertThat(shed.status()).isEqualTo(503);
    assertThat(shed.header("Retry-After")).isEqualTo("1");
    awaitState(limit, 1, 0);
    one.end();
    assertThat(first.read().text()).isEqualTo("/1");
    awaitState(limit, 0, 0);
  }

  @Test
  void forgetsClientsThatGoAwayWhileTheyWait() throws Exception {
    ConcurrencyLimit limit = limit(later, 1, 2);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();
    RawClient second = get(server, "/2");
    awaitState(limit, 1, 1);
    RawClient third = get(server, "/3");
    awaitState(limit, 1, 2);

    second.close();
    awaitState(limit, 1, 1);
    third.reset();
    awaitState(limit, 1, 0);

    RawClient fourth = get(server, "/4");
    awaitState(limit, 1, 1);
    one.end();
    assertThat(first.read().text()).isEqualTo("/1");
    Begun next = begun.take();
    assertThat(next.path()).isEqualTo("/4");
    next.end();
    assertThat(fourth.read().text()).isEqualTo("/4");
    awaitState(limit, 0, 0);
  }

  @Test
  @OnlyHttp1("a client of HTTP/2 ends its side with every request")
  void tellsAClientThatEndsItsSide() throws Exception {
    ConcurrencyLimit limit = limit(later, 1, 1);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();
    RawClient second = get(server, "/2");
    awaitState(limit, 1, 1);

    assertThat(second.halfClose().read().status()).isEqualTo(503);
    awaitState(limit, 1, 0);
    one.end();
    first.read();
  }

  @Test
  void takesPermitsBackAfterFailures() {
    AtomicInteger count = new AtomicInteger();
    ConcurrencyLimit limit =
        limit(
            (request, response) -> {
              switch (count.getAndIncrement() % 4) {
                case 0 -> throw new HttpException(404, "no such thing");
                case 1 -> throw new IllegalStateException("a defect");
                case 2 -> response.async().fail(new HttpException(409, "not now"));
                default ->
                    Handlers.blocking(
                            (blocked, answer) -> {
                              throw new HttpException(410, "gone");
                            })
                        .handle(request, response);
              }
            },
            1,
            0);
    HttpServer server = servers.start(limit);

    for (int i = 0; i < 8; i++) {
      assertThat(get(server, "/").read().status())
          .isEqualTo(List.of(404, 500, 409, 410).get(i % 4));
      awaitState(limit, 0, 0);
    }
    assertThat(servers.log().take(Level.WARNING)).hasSize(2);
  }

  @Test
  void takesThePermitOfAQueuedRequestBackAfterAFailure() throws Exception {
    ConcurrencyLimit limit =
        limit(
            (request, response) -> {
              if (request.pathIs("/fails")) {
                throw new HttpException(404, "no such thing");
              }
              later.handle(request, response);
            },
            1,
            1);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();
    RawClient second = get(server, "/fails");
    awaitState(limit, 1, 1);

    one.end();

    assertThat(first.read().text()).isEqualTo("/1");
    assertThat(second.read().status()).isEqualTo(404);
    awaitState(limit, 0, 0);
  }

  @Test
  void takesThePermitOfAVanishedClientBack() throws Exception {
    ConcurrencyLimit limit =
        limit(
            (request, response) -> {
              response.async().stream().flush();
              begun.add(new Begun(request.path(), response));
            },
            1,
            0);
    HttpServer server = servers.start(limit);
    RawClient client = get(server, "/1");
    begun.take();

    client.reset();

    awaitState(limit, 0, 0);
  }

  @Test
  void keepsTheContentOfAWaitingRequest() throws Exception {
    ConcurrencyLimit limit =
        limit(
            (request, response) -> {
              if (request.pathIs("/post")) {
                request.body().receiveAll(100, content -> response.send(content));
              } else {
                later.handle(request, response);
              }
            },
            1,
            1);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    Begun one = begun.take();
    RawClient second = servers.connect(server).post("/post", Requests.bytes("some content"));
    awaitState(limit, 1, 1);

    one.end();

    first.read();
    assertThat(second.read().text()).isEqualTo("some content");
    awaitState(limit, 0, 0);
  }

  @Test
  void countsAnUpgradeUntilItIsHandedOver() {
    ConcurrencyLimit limit =
        limit((request, response) -> response.upgrade("echo", new RawEcho()), 1, 0);
    HttpServer server = servers.start(limit);
    String head =
        Requests.text("GET / HTTP/1.1", "Host: test", "Connection: Upgrade", "Upgrade: echo");

    for (int i = 0; i < 2; i++) {
      assertThat(servers.connect(server).send(head).read().status()).isEqualTo(101);
      awaitState(limit, 0, 0);
    }
  }

  @Test
  void neverServesMoreThanTheLimit() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ConcurrencyLimit limit =
        limit(
            Handlers.blocking(
                (request, response) -> {
                  most.accumulateAndGet(running.incrementAndGet(), Math::max);
                  LockSupport.parkNanos(50_000); // so that requests overlap
                  running.decrementAndGet();
                  response.text("served");
                }),
            2,
            3);
    HttpServer server = servers.start(limit);
    List<Thread> threads = new ArrayList<>();
    BlockingQueue<Integer> statuses = new LinkedBlockingQueue<>();
    for (int i = 0; i < 8; i++) {
      RawClient client = servers.connect(server);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < 100; n++) {
                      statuses.add(client.send(Requests.get("/")).read().status());
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(statuses).hasSize(800).containsOnly(200, 503);
    assertThat(most.get()).isBetween(1, 2);
    awaitState(limit, 0, 0);
  }

  @Test
  void losesNoPermitToClientsThatVanish() {
    Seeds.each(
        5,
        random -> {
          ConcurrencyLimit limit =
              limit(
                  Handlers.blocking(
                      (request, response) -> {
                        LockSupport.parkNanos(50_000);
                        response.text("served");
                      }),
                  2,
                  3);
          HttpServer server = servers.start(limit);
          List<RawClient> clients = new ArrayList<>();
          for (int i = 0; i < 100; i++) {
            RawClient client = get(server, "/");
            clients.add(client);
            switch (random.nextInt(4)) {
              case 0 -> client.reset();
              case 1 -> client.close();
              case 2 -> assertThat(client.read().status()).isIn(200, 503);
              default -> {
                // It stays, with a response that it doesn't read.
              }
            }
          }
          clients.forEach(RawClient::close);
          Await.until("all connections have ended", () -> server.connectionCount() == 0);
          awaitState(limit, 0, 0);
          // Some may have come to the server only now, and use the permits or fill the queue.
          Await.until("a request is served", () -> get(server, "/").read().text().equals("served"));
        });
  }

  @Test
  void sendsAWholeResponseOfAHandlerThatThrowsAfterTheQueue() throws Exception {
    Handler handler =
        (request, response) -> {
          if (request.pathIs("/throws")) {
            response.async();
            Thread other = Thread.ofVirtual().start(() -> response.text("sent before"));
            other.join();
            throw new IOException("a defect");
          }
          later.handle(request, response);
        };
    ConcurrencyLimit limit = limit(handler, 1, 1);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/");
    Begun one = begun.take();
    RawClient second = get(server, "/throws");
    awaitState(limit, 1, 1);

    one.end();

    assertThat(first.read().text()).isEqualTo("/");
    assertThat(second.read().text()).isEqualTo("sent before");
    servers.log().expectOne(Level.SEVERE, "a defect");
    awaitState(limit, 0, 0);
  }

  @Test
  void rejectsValuesOutOfRange() {
    ConcurrencyLimit.Builder builder = ConcurrencyLimit.builder(later);
    assertThatThrownBy(() -> builder.concurrentMax(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.queueMax(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.queueMax(1_000_001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.queueTime(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.retryAfter(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The clock stands still unless the test moves it, so each end of a request is a window. */
  @Test
  void followsTheLatencyOfItsHandler() throws Exception {
    AtomicLong nanos = new AtomicLong(-1);
    ConcurrencyLimit limit =
        ConcurrencyLimit.builder(later)
            .concurrentMin(1)
            .concurrentMax(3)
            .latencyMax(Duration.ofSeconds(1))
            .queueMax(1)
            .queueTime(LONG)
            .clock(nanos::get)
            .build();
    HttpServer server = servers.start(limit);
    assertThat(limit.concurrentMax()).isEqualTo(1);

    RawClient quick = get(server, "/quick");
    Begun only = begun.take();
    nanos.addAndGet(AdaptiveMax.WINDOW_NANOS);
    only.end();
    assertThat(quick.read().text()).isEqualTo("/quick");
    awaitState(limit, 0, 0);
    assertThat(limit.concurrentMax()).isEqualTo(2);

    RawClient first = get(server, "/1");
    Begun one = begun.take();
    RawClient second = get(server, "/2");
    Begun two = begun.take();
    RawClient third = get(server, "/3");
    awaitState(limit, 2, 1);
    nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    one.end();
    assertThat(first.read().text()).isEqualTo("/1");
    awaitState(limit, 1, 1); // the limit has fallen, so the third one still waits
    assertThat(limit.concurrentMax()).isEqualTo(1);
    assertThat(begun).isEmpty();
    two.end();
    assertThat(second.read().text()).isEqualTo("/2");
    begun.take().end();
    assertThat(third.read().text()).isEqualTo("/3");
    awaitState(limit, 0, 0);
  }
}
