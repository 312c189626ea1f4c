package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.server.observe.DrainResult;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.ServerListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.Stuck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The log lines about handlers that event loops have left, and about those that they carry. */
final class LeftHandlerLogIT {
  private static final int LINES_MAX = 10; // in ten seconds
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  @RegisterExtension final Servers servers = new Servers();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CompletableFuture<HttpServer> started = new CompletableFuture<>();
  private final AtomicInteger reported = new AtomicInteger();

  private HttpServer start(int leftMax, Duration blockedTime, Handler handler) {
    ServerLimits limits =
        Servers.LIMITS.toBuilder().leftHandlersMax(leftMax).loopBlockedTime(blockedTime).build();
    HttpServer server =
        servers.start(
            handler, options -> options.loops(1).limits(limits).serverListener(new Counting()));
    started.complete(server);
    return server;
  }

  private void leave() {
    EventLoop loop = started.join().running().acceptors().getFirst().loop();
    ReliefProbe.leave(loop);
  }

  private List<String> warnings() {
    return servers.log().take(Level.WARNING).stream().map(LogRecord::getMessage).toList();
  }

  /** Takes the reports about the handler: on a loaded machine, others are late as well. */
  private List<String> reports() {
    return servers.log().takeReports().stream()
        .map(LogRecord::getMessage)
        .filter(text -> text.contains(" with GET /slow of "))
        .toList();
  }

  private List<String> awaitReports() {
    List<String> found = new ArrayList<>();
    Await.until("the handler is reported", () -> found.addAll(reports()));
    return found;
  }

  @Test
  void aLeftHandlerIsReportedAsLongAsOneThatKeepsItsLoop() {
    HttpServer server =
        start(
            4,
            Duration.ofMillis(50),
            (request, response) -> {
              leave();
              released.await();
              response.text("at last");
            });
    RawClient client = servers.connect(server).get("/slow");

    assertThat(awaitReports())
        .singleElement()
        .asString()
        .contains(" has been busy for ")
        .contains("CountDownLatch.await", "other connections don't wait for it");
    released.countDown();
    assertThat(client.read().text()).isEqualTo("at last");
    assertThat(awaitReports().getFirst()).contains(" was busy for ", " in the end ");
  }

  @Test
  void clientsCauseTenReportsInTenSeconds() {
    int count = LINES_MAX + 2;
    long start = System.nanoTime();
    HttpServer server =
        start(
            count,
            Duration.ofMillis(50),
            (request, response) -> {
              leave();
              released.await();
              response.text("at last");
            });
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(servers.connect(server).get("/slow"));
    }

    Await.until("all are reported to listeners", () -> reported.get() >= count);
    long periods = 1 + (System.nanoTime() - start) / PERIOD_NANOS; // one, unless starved
    assertThat(servers.log().takeReports())
        .hasSizeBetween(LINES_MAX, (int) (periods * LINES_MAX))
        .anyMatch(report -> report.getMessage().contains("has been busy"));

    released.countDown();
    for (RawClient client : clients) {
      assertThat(client.read().text()).isEqualTo("at last");
    }
  }

  @Test
  void theEndNamesTheThreadsOfHandlersThatStillRun() {
    CompletableFuture<Thread> left = new CompletableFuture<>();
    HttpServer server =
        start(
            4,
            Duration.ofMinutes(1),
            (request, response) -> {
              leave();
              left.complete(Thread.currentThread());
              released.await();
            });
    RawClient client = servers.connect(server).get("/slow");
    Thread thread = left.join();

    DrainResult result = server.shutdown(Duration.ZERO);

    assertThat(result.blockedLoops()).isZero();
    assertThat(thread.isAlive()).isTrue();
    assertThat(warnings())
        .contains(
            "handlers still run, which keeps the JVM from ending: [" + thread.getName() + "]");
    client.expectClosed();
    released.countDown();
    Await.until("the thread ends", () -> !thread.isAlive());
  }

  private Handler spinning() {
    return Handlers.blocking(
        (request, response) -> {
          Stuck.SPINS.until(released);
          response.text("at last");
        });
  }

  @Test
  void aCarriedHandlerThatKeepsItsLoopIsReportedWithItsOwnStack() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    HttpServer server = start(0, Duration.ofMillis(50), spinning());
    RawClient client = servers.connect(server).get("/slow");

    String report = awaitReports().getFirst();
    released.countDown();
    assertThat(report)
        .contains("in the application's code")
        .contains("; other connections of the loop wait, because leftHandlersMax", "Stuck$1.until")
        .doesNotContain("Handlers.blocking");
    assertThat(client.read().text()).isEqualTo("at last");
    Await.until("the end is reported", () -> !reports().isEmpty());
  }

  @Test
  void aCarriedHandlerThatWasLeftMayTakeItsTime() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    HttpServer server = start(4, Duration.ofMillis(50), spinning());
    RawClient client = servers.connect(server).get("/slow");

    Await.until("it is reported to listeners", () -> reported.get() > 0);
    assertThat(reports())
        .noneMatch(text -> text.contains("other connections don't wait") && text.contains("\tat "));
    released.countDown();
    assertThat(client.read().text()).isEqualTo("at last");
  }

  /** Counts the reports of the watchdog. */
  private final class Counting implements ServerListener {
    @Override
    public List<? extends LoopListener> onStart(String server, List<LoopInfo> loops) {
      return List.of(
          new LoopListener() {
            @Override
            public void onBlocked(long nanos) {
              reported.incrementAndGet();
            }
          });
    }
  }
}
