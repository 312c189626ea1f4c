package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.context.CallThreads;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tasks of an adapter on virtual threads. The tests run once with and once without threads that the
 * event loops carry.
 */
final class CallThreadsIT {
  @RegisterExtension final Servers servers = new Servers();

  private final CountDownLatch go = new CountDownLatch(1);

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /** Returns the name of the platform thread under the calling virtual one. */
  private static String carrier() {
    String text = Thread.currentThread().toString();
    return text.substring(text.indexOf('@') + 1);
  }

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // a virtual thread gives its carrier back
  void runsTasksOnTheLoopBeforeAndAfterAPause() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              CallThreads.of(request)
                  .execute(
                      () -> {
                        String before = carrier();
                        Thread.yield();
                        response.text(before + " " + carrier());
                      });
            },
            options -> options.loops(1));
    RawClient client = servers.connect(server);
    String loop = server.name() + "-loop-0";

    for (int i = 0; i < 3; i++) {
      assertThat(client.get("/").read().text()).isEqualTo(loop + " " + loop);
    }
  }

  @Test
  void letsTheLoopServeOthersWhileATaskBlocks() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              CallThreads.of(request)
                  .execute(
                      () -> {
                        if (request.pathIs("/blocks")) {
                          awaitUninterrupted(go);
                        }
                        response.text(request.path());
                      });
            },
            options -> options.loops(1));
    RawClient blocked = servers.connect(server).get("/blocks");

    assertThat(servers.connect(server).get("/a").read().text()).isEqualTo("/a");
    go.countDown();
    assertThat(blocked.read().text()).isEqualTo("/blocks");
  }

  @Test
  void letsTheLoopServeOthersWhileATaskComputes() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    CompletableFuture<EventLoop> loop = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              CallThreads.of(request)
                  .execute(
                      () -> {
                        if (request.pathIs("/computes")) {
                          ReliefProbe.leaveSpinning(loop.join());
                          while (go.getCount() > 0) {
                            Thread.onSpinWait();
                          }
                        }
                        response.text(request.path());
                      });
            },
            options ->
                options.loops(1).limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build()));
    loop.complete(server.running().acceptors().getFirst().loop());
    RawClient computing = servers.connect(server).get("/computes");

    assertThat(servers.connect(server).get("/a").read().text()).isEqualTo("/a");
    go.countDown();
    assertThat(computing.read().text()).isEqualTo("/computes");
  }

  @Test
  void endsAnExchangeWhileItsTaskGoesOn() {
    CountDownLatch over = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async().onComplete(outcome -> over.countDown());
              CallThreads.of(request)
                  .execute(
                      () -> {
                        response.text(request.path());
                        awaitUninterrupted(go);
                      });
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/a").read().text()).isEqualTo("/a");
    awaitUninterrupted(over);
    assertThat(client.get("/b").read().text()).isEqualTo("/b");
    go.countDown();
  }

  @Test
  void runsTasksInTheOrderOfTheCalls() {
    List<Integer> order = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async();
              Executor threads = CallThreads.of(request);
              for (int i = 0; i < 100; i++) {
                int number = i;
                threads.execute(() -> order.add(number));
              }
              threads.execute(() -> response.text("" + order.size()));
            },
            options -> options.loops(1));
    assumeTrue(CarriedThreads.isAvailable(), "the JDK's scheduler has no order");

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("100");
    assertThat(order).isSorted();
  }

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // a virtual thread gives its carrier back
  void runsTasksAfterTheEndOfTheConnectionAndOfTheServer() throws Exception {
    BlockingQueue<Executor> kept = new LinkedBlockingQueue<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    BlockingQueue<String> results = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async().onComplete(outcome -> gone.countDown());
              Executor threads = CallThreads.of(request);
              kept.add(threads);
              threads.execute(
                  () -> {
                    begun.countDown();
                    awaitUninterrupted(go);
                    Thread.yield();
                    results.add("begun before");
                  });
            });
    RawClient client = servers.connect(server).get("/");

    begun.await();
    client.reset();
    gone.await();
    Executor threads = kept.take();
    threads.execute(() -> results.add("after the connection"));
    assertThat(results.take()).isEqualTo("after the connection");

    server.close();
    threads.execute(() -> results.add("after the server"));
    assertThat(results.take()).isEqualTo("after the server");
    go.countDown();
    assertThat(results.take()).isEqualTo("begun before");
  }
}
