package dev.peregrine.http.filter;

import static dev.peregrine.http.filter.ConcurrencyLimitIT.awaitState;
import static dev.peregrine.http.filter.ConcurrencyLimitIT.limit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Outcome;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.Stuck;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bounded number of handlers at a time that block, or keep their loop, over sockets. */
final class ConcurrencyLimitBlockingIT {
  @RegisterExtension final Servers servers = new Servers();

  private RawClient get(HttpServer server, String path) {
    return servers.connect(server).send(Requests.get(path));
  }

  @Test
  void countsABlockingHandlerUntilItReturns() throws Exception {
    CountDownLatch working = new CountDownLatch(1);
    CountDownLatch mayReturn = new CountDownLatch(1);
    BlockingQueue<Outcome> ends = new LinkedBlockingQueue<>();
    ConcurrencyLimit limit =
        limit(
            Handlers.blocking(
                (request, response) -> {
                  response.stream().flush();
                  working.countDown();
                  mayReturn.await();
                }),
            1,
            0);
    HttpServer server =
        servers.start((request, response) -> limit.handle(request, response.onComplete(ends::add)));
    RawClient client = get(server, "/1");
    working.await();

    client.reset();
    assertThat(ends.take()).isEqualTo(Outcome.ABORTED);
    assertThat(limit.inUse()).isEqualTo(1);
    mayReturn.countDown();

    awaitState(limit, 0, 0);
  }

  /** Another thread runs the event loop meanwhile, or the loop has never run the handler. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsAHandlerThatKeepsItsThreadUntilItReturns(boolean blocking) {
    CountDownLatch mayReturn = new CountDownLatch(1);
    Handler stuck =
        (request, response) -> {
          if (request.pathIs("/stuck")) {
            Stuck.SPINS.until(mayReturn);
          }
          response.text(request.path());
        };
    ConcurrencyLimit limit = limit(blocking ? Handlers.blocking(stuck) : stuck, 1, 1);
    ServerLimits limits = Servers.LIMITS.toBuilder().leftHandlersMax(1).build();
    HttpServer server = servers.start(limit, options -> options.loops(1).limits(limits));

    RawClient first = get(server, "/stuck");
    awaitState(limit, 1, 0);
    RawClient second = get(server, "/2");
    awaitState(limit, 1, 1);
    assertThat(get(server, "/3").read().status()).isEqualTo(503);
    mayReturn.countDown();

    assertThat(first.read().text()).isEqualTo("/stuck");
    assertThat(second.read().text()).isEqualTo("/2");
    awaitState(limit, 0, 0);
  }

  @Test
  void runsBlockingHandlersOnVirtualThreadsAfterTheQueue() throws Exception {
    CountDownLatch mayReturn = new CountDownLatch(1);
    ConcurrencyLimit limit =
        limit(
            Handlers.blocking(
                (request, response) -> {
                  mayReturn.await();
                  response.text(String.valueOf(Thread.currentThread().isVirtual()));
                }),
            1,
            1);
    HttpServer server = servers.start(limit);
    RawClient first = get(server, "/1");
    awaitState(limit, 1, 0);
    RawClient second = get(server, "/2");
    awaitState(limit, 1, 1);

    mayReturn.countDown();

    assertThat(first.read().text()).isEqualTo("true");
    assertThat(second.read().text()).isEqualTo("true");
    awaitState(limit, 0, 0);
  }

  @Test
  void failsInsideABlockingHandler() {
    HttpServer server =
        servers.start(Handlers.blocking(limit((request, response) -> response.text("late"), 1, 1)));

    assertThat(get(server, "/").read().status()).isEqualTo(500);
    servers.log().expectOne(Level.WARNING, "must be around Handlers.blocking");
  }
}
