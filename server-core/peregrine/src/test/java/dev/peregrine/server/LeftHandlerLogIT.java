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
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.Stuck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The log lines about handlers that event loops have left, and about those that they carry. */
final class LeftHandlerLogIT {
  private static final int LINES_MAX = 10; // in ten seconds

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

  /** Waits for a report with that text; on a slow machine one about the time before precedes it. */
  private String awaitReport(String text) {
    List<String> found = new ArrayList<>();
    Await.until(
        () -> "a report of " + text + ": " + found,
        () -> {
          found.addAll(reports());
          return found.stream().anyMatch(line -> line.contains(text));
        });
    return found.stream().filter(line -> line.contains(text)).findFirst().orElseThrow();
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

    List<String> lines = new ArrayList<>(); // on a slow machine one about the time before the wait
    Await.until(
        "its wait is reported",
        () -> {
          lines.addAll(reports());
          return lines.stream().anyMatch(line -> line.contains("CountDownLatch.await"));
        });
    assertThat(lines)
        .filteredOn(line -> line.contains("CountDownLatch.await"))
        .singleElement()
        .asString()
        .contains(" has been busy for ", "other connections don't wait for it");
    released.countDown();
    assertThat(client.read().text()).isEqualTo("at last");
    Await.until(
        "its end is reported",
        () -> {
          lines.addAll(reports());
          return lines.stream().anyMatch(line -> line.matches(".* was busy for .* in the end .*"));
        });
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

    List<String> lines = new ArrayList<>();
    Await.until(
        "all are reported to listeners, and ten in the log",
        () -> {
          servers.log().takeReports().forEach(report -> lines.add(report.getMessage()));
          return reported.get() >= count && lines.size() >= LINES_MAX;
        });
    // On a slow machine some are about the loop, and one says that it is slow or loads classes.
    assertThat(lines)
        .hasSizeLessThanOrEqualTo((LINES_MAX + 1) * ServerLog.periodsSince(start))
        .anyMatch(
            line ->
                line.contains("has been busy")
                    && line.contains("other connections don't wait for it"));

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

    String report = awaitReport("Stuck$1.until");
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

  /** In the first second of a server its handlers keep their loops. */
  @Test
  void theLimitIsNotBlamedWhileOthersMayBeLeft() {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    HttpServer server = start(4, Duration.ofMillis(50), spinning());
    RawClient client = servers.connect(server).get("/slow");

    Await.until("it is reported to listeners", () -> reported.get() > 0);
    assertThat(reports()).noneMatch(text -> text.contains("leftHandlersMax"));
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
