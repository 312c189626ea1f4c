package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PathSegments;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request and a response that another thread has kept without {@code async()}. */
final class KeptExchangeIT {
  private static final AttributeKey<String> USER = AttributeKey.of("user");
  private static final int MORE_THAN_REST = 40;
  private static final int VICTIMS = 24; // more than the exchanges that are used in turn
  private static final int LATE_ROUNDS = 3_000;

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Kept> kept = new LinkedBlockingQueue<>();
  private final BlockingQueue<Response> later = new LinkedBlockingQueue<>();
  private final BlockingQueue<Kept> waits = new LinkedBlockingQueue<>();
  private final CountDownLatch go = new CountDownLatch(1);

  /** The objects that a handler has passed on. */
  private record Kept(Request request, Response response, PathSegments path) {
    Kept(Request request, Response response) {
      this(request, response, request.pathSegments());
    }
  }

  /** How a handler ends after it has passed its request on. */
  enum Way {
    BLOCKING_ANSWERS,
    BLOCKING_LEAVES_WITHOUT_A_RESPONSE,
    BLOCKING_THROWS,
    BLOCKING_IS_INTERRUPTED,
    LOOP_LEAVES_WITHOUT_A_RESPONSE,
    LOOP_THROWS;

    boolean isBlocking() {
      return name().startsWith("BLOCKING");
    }

    boolean isLogged() {
      return name().endsWith("RESPONSE") || this == BLOCKING_IS_INTERRUPTED;
    }
  }

  private final Handler parked =
      Handlers.blocking(
          (request, response) -> {
            later.add(response);
            go.await();
            response.text("for the victim");
          });

  /** Waits for content on the event loop, which none of its callers does without a handler. */
  private final Handler waiting =
      (request, response) -> {
        waits.add(new Kept(request, response));
        request.body().receiveAll(10, content -> response.text("for the victim"));
      };

  private final Handler handler =
      (request, response) -> {
        switch (request.path()) {
          case "/keep" -> {
            kept.add(new Kept(request, response));
            response.text("kept");
          }
          case "/later" -> later.add(response.async());
          case "/parked" -> parked.handle(request, response);
          case "/waiting" -> waiting.handle(request, response);
          default -> response.text("at once");
        }
      };

  private Handler leaving(Way way) {
    Handler leaves =
        (request, response) -> {
          kept.add(new Kept(request, response));
          switch (way) {
            case BLOCKING_ANSWERS -> response.text("kept");
            case BLOCKING_THROWS, LOOP_THROWS -> throw new HttpException(418, "thrown");
            case BLOCKING_IS_INTERRUPTED -> {
              Thread.currentThread().interrupt();
              Object never = new CompletableFuture<>().get();
              assertThat(never).isNull();
            }
            default -> {}
          }
        };
    Handler runs = way.isBlocking() ? Handlers.blocking(leaves) : leaves;
    return (request, response) ->
        (request.pathIs("/leave") ? runs : handler).handle(request, response);
  }

  private HttpServer serve(boolean reuse) {
    return servers.start(handler, options -> options.loops(1).reuseExchanges(reuse));
  }

  private static List<ThrowingCallable> uses(Kept kept) {
    Request request = kept.request;
    Response response = kept.response;
    return List.of(
        request::path,
        () -> request.header("Cookie"),
        () -> request.body().receiveAll(10, content -> {}),
        () -> kept.path.segment(0),
        () -> response.header("Set-Cookie", "a=b"),
        () -> response.text("stranger"),
        () -> response.stream().complete(),
        () -> response.onAbort(cause -> {}),
        () -> response.onClientClosed(() -> {}),
        () -> response.onShutdown(() -> {}),
        () -> response.async(),
        () -> response.async(() -> CompletableFuture.failedFuture(new HttpException(418, "late"))),
        response::isCommitted);
  }

  /** Calls the ends that a {@code finally} block may call late: they do nothing. */
  private static void tryToEnd(Response response) {
    response.onLoop(
        () -> {
          throw new HttpException(418, "stranger");
        });
    response.fail(new HttpException(418, "stranger"));
    response.complete();
  }

  @Test
  void throwsOnceItHasEnded() throws Exception {
    RawClient client = servers.connect(serve(true));
    client.get("/keep").read();

    for (ThrowingCallable use : uses(kept.take())) {
      assertThatIllegalStateException().isThrownBy(use);
    }
  }

  @ParameterizedTest
  @EnumSource
  void neverMeetsALaterExchangeWhereverItsHandlerHasLeftIt(Way way) throws Exception {
    HttpServer server = servers.start(leaving(way), options -> options.loops(1));
    RawClient client = servers.connect(server);
    client.get("/leave").read();
    if (way.isLogged()) {
      assertThat(servers.log().await(Level.WARNING)).hasSize(1);
    }

    expectVictimsUnharmed(server, client, kept.take(), "/later");
    servers.connect(server).get("/leave").read();
    if (way.isLogged()) {
      assertThat(servers.log().await(Level.WARNING)).hasSize(1);
    }
    expectVictimsUnharmed(server, client, kept.take(), "/parked");
  }

  @Test
  void neverMeetsAnAsyncExchangeOfAServerThatHasJustStarted() throws Exception {
    HttpServer server = servers.startByDefaults(handler, options -> options.loops(1));
    RawClient client = servers.connect(server);
    client.get("/keep").read();

    expectStrangerToFail(server, client, kept.take(), "/later");
  }

  @Test
  void neverMeetsABlockingHandlerOfAServerThatHasJustStarted() throws Exception {
    HttpServer server = servers.startByDefaults(handler, options -> options.loops(1));
    RawClient client = servers.connect(server);
    client.get("/keep").read();

    expectStrangerToFail(server, client, kept.take(), "/parked");
  }

  @Test
  void noneIsUsedAgainOnceOneWasSeenToBeKept() throws Exception {
    HttpServer server = serve(true);
    RawClient client = servers.connect(server);
    client.get("/keep").read();
    client.get("/keep").read();
    Kept seen = kept.take();
    assertThatIllegalStateException().isThrownBy(() -> seen.response.text("stranger"));

    expectStrangerToFail(server, client, seen, "/later");
    expectStrangerToFail(server, client, kept.take(), "/later");
  }

  @Test
  void noneIsUsedAgainOnceOneWasAsync() throws Exception {
    HttpServer server = serve(true);
    RawClient client = servers.connect(server);
    client.get("/later");
    later.take().text("first");
    assertThat(client.read().text()).isEqualTo("first");
    client.get("/keep").read();

    expectStrangerToFail(server, client, kept.take(), "/later");
  }

  @Test
  void neverMeetsALaterExchangeWithoutReuse() throws Exception {
    HttpServer server = serve(false);
    RawClient client = servers.connect(server);
    client.get("/keep").read();

    expectStrangerToFail(server, client, kept.take(), "/later");
  }

  @Test
  void throwsWhileTheSameObjectServesAnotherRequestOnTheLoop() throws Exception {
    HttpServer server = serve(true);
    RawClient client = servers.connect(server);
    client.get("/keep").read();
    Kept before = kept.take();
    rest(client);
    List<RawClient> victims = new ArrayList<>();
    for (int i = 0; i < VICTIMS; i++) {
      RawClient victim = servers.connect(server);
      victim.send("POST /waiting HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\n");
      victims.add(victim);
      assertThat(waits.take()).isNotNull();
      client.get("/").read();
      client.get("/").read();
    }

    for (ThrowingCallable use : uses(before)) {
      assertThatIllegalStateException().isThrownBy(use);
    }
    for (RawClient victim : victims) {
      assertThat(victim.send("x").read().text()).isEqualTo("for the victim");
    }
  }

  @Test
  void isNotReachedByAListenerThatHasKeptTheFactsOfAnEarlierOne() throws Exception {
    BlockingQueue<ExchangeInfo> begun = new LinkedBlockingQueue<>();
    ExchangeListener keeping =
        new ExchangeListener() {
          @Override
          public void onBegin(ExchangeInfo exchange) {
            begun.add(exchange);
          }
        };
    HttpServer server =
        servers.start(handler, options -> options.loops(1).exchangeListener(keeping));
    RawClient client = servers.connect(server);
    rest(client);
    List<RawClient> victims = new ArrayList<>();
    List<Response> responses = new ArrayList<>();
    for (int i = 0; i < VICTIMS; i++) {
      victims.add(servers.connect(server).get("/later"));
      responses.add(later.take());
      client.get("/").read(); // so that as many exchanges rest as before
      client.get("/").read();
    }

    ExchangeInfo late = begun.take();
    assertThatIllegalStateException().isThrownBy(late::target);
    assertThatIllegalStateException().isThrownBy(() -> late.attribute(USER, "stranger"));

    responses.forEach(response -> response.text("for the victim"));
    for (RawClient victim : victims) {
      assertThat(victim.read().text()).isEqualTo("for the victim");
    }
  }

  @Test
  void throwsInABlockingHandlerOfALaterRequest() throws Exception {
    AtomicReference<Kept> before = new AtomicReference<>();
    AtomicInteger thrown = new AtomicInteger();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  Kept earlier = before.get();
                  if (earlier == null) {
                    kept.add(new Kept(request, response));
                  } else {
                    thrown.addAndGet(countThrown(uses(earlier)));
                    tryToEnd(earlier.response);
                  }
                  response.text(request.path());
                }),
            options -> options.loops(1));
    RawClient client = servers.connect(server);
    client.get("/keep").read();
    before.set(kept.take());

    for (int i = 0; i < MORE_THAN_REST; i++) {
      assertThat(client.get("/" + i).read().text()).isEqualTo("/" + i);
    }
    if (CarriedThreads.isAvailable()) { // otherwise it was async, and can still be read
      assertThat(thrown).hasValue(MORE_THAN_REST * uses(before.get()).size());
    }
  }

  /** The exchanges of the views serve other requests at the moment of the late uses. */
  @Test
  void lateThreadsNeverReachTheRequestsOfOtherBlockingHandlers() throws Exception {
    AtomicReference<Kept> late = new AtomicReference<>();
    AtomicBoolean over = new AtomicBoolean();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  kept.add(new Kept(request, response));
                  if (request.path().endsWith("parks")) {
                    LockSupport.parkNanos(1);
                  }
                  response.text(request.path());
                }),
            options -> options.loops(1));
    RawClient client = servers.connect(server);
    client.get("/first").read();
    late.set(kept.take());
    CompletableFuture<Void> user =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                Kept earlier = late.get();
                uses(earlier).forEach(KeptExchangeIT::tryTo);
                tryToEnd(earlier.response);
              }
            },
            task -> Thread.ofPlatform().daemon().start(task));

    for (int i = 0; i < LATE_ROUNDS; i++) {
      String path = "/" + i + (i % 3 == 0 ? "parks" : "");
      assertThat(client.get(path).read().text()).isEqualTo(path);
      late.set(kept.take());
    }
    over.set(true);
    user.get();
  }

  private static int countThrown(List<ThrowingCallable> uses) {
    int thrown = 0;
    for (ThrowingCallable use : uses) {
      try {
        use.call();
      } catch (IllegalStateException asItShould) {
        thrown++;
      } catch (Throwable other) {
        throw new AssertionError(other);
      }
    }
    return thrown;
  }

  /** A handler that its loop has left may call the server, and no other thread may for it. */
  @Test
  void isNotPassedOnByALoopThatLeavesItsHandler() throws Exception {
    CompletableFuture<EventLoop> loop = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              ReliefProbe.leave(loop.join());
              kept.add(new Kept(request, response));
              go.await();
              response.text(request.path());
            },
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    loop.complete(server.running().acceptors().getFirst().loop());
    RawClient client = servers.connect(server).get("/left");
    Kept left = kept.take();

    for (ThrowingCallable use : uses(left)) {
      assertThatIllegalStateException().isThrownBy(use);
    }
    go.countDown();
    assertThat(client.read().text()).isEqualTo("/left");
  }

  /** The loop leaves a filter after the filter has called the handler, which begins on return. */
  @Test
  void isThatOfABlockingHandlerWhoseFilterWasLeft() {
    CompletableFuture<EventLoop> loop = new CompletableFuture<>();
    Handler blocking = Handlers.blocking((request, response) -> response.text(request.path()));
    HttpServer server =
        servers.start(
            (request, response) -> {
              blocking.handle(request, response);
              ReliefProbe.leave(loop.join());
            },
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    loop.complete(server.running().acceptors().getFirst().loop());

    assertThat(servers.connect(server).get("/left").read().text()).isEqualTo("/left");
  }

  private static void rest(RawClient client) {
    for (int i = 0; i < MORE_THAN_REST; i++) {
      assertThat(client.get("/").read().text()).isEqualTo("at once");
    }
  }

  private void expectStrangerToFail(
      HttpServer server, RawClient client, Kept before, String victimPath) throws Exception {
    expectVictimsUnharmed(server, client, before, victimPath);
    for (ThrowingCallable use : uses(before)) {
      assertThatIllegalStateException().isThrownBy(use);
    }
  }

  /** Has a late thread use what it has kept while later requests wait for their responses. */
  private void expectVictimsUnharmed(
      HttpServer server, RawClient client, Kept before, String victimPath) throws Exception {
    rest(client);
    List<RawClient> victims = new ArrayList<>();
    List<Response> responses = new ArrayList<>();
    for (int i = 0; i < VICTIMS; i++) {
      victims.add(servers.connect(server).get(victimPath));
      responses.add(later.take());
      client.get("/").read(); // so that as many exchanges rest as before
      client.get("/").read();
    }
    for (ThrowingCallable use : uses(before)) {
      tryTo(use);
      tryToEnd(before.response);
    }
    if (victimPath.equals("/parked")) {
      go.countDown();
    } else {
      responses.forEach(response -> response.text("for the victim"));
    }
    for (RawClient victim : victims) {
      assertThat(victim.read().text()).isEqualTo("for the victim");
    }
  }

  /** Some uses do nothing after the end, and a request that was async can still be read. */
  private static void tryTo(ThrowingCallable use) {
    try {
      use.call();
    } catch (IllegalStateException asItShould) {
      // The exchange has ended.
    } catch (Throwable other) {
      throw new AssertionError(other);
    }
  }
}
