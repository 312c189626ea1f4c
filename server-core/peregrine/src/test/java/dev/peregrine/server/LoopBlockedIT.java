package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.logging.LogRecord;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A handler that blocks its event loop is reported. The reports of a second server are the clock.
 */
final class LoopBlockedIT {
  private static final Duration SHORT = Duration.ofMillis(50);

  // not what the server does after the handler, for which a slow machine may need as long
  private static final String CODE = "the application's code, dev.peregrine.server.LoopBlockedIT.";

  @RegisterExtension final Servers servers = new Servers();
  private final Semaphore first = new Semaphore(0);
  private final Semaphore second = new Semaphore(0);
  private final List<String> reports = new ArrayList<>();

  private void blockFirst(Request request, Response response) throws Exception {
    first.acquire();
    response.text("at last");
  }

  private void blockSecond(Request request, Response response) throws Exception {
    second.acquire();
    response.text("at last");
  }

  @Test
  void reportsAHandlerThatBlocksWithItsStackOncePerTurn() {
    RawClient one = servers.connect(servers.start(this::blockFirst, limits(SHORT)));
    one.get("/slow?query");
    awaitReports(CODE + "blockFirst", 1);
    RawClient two = servers.connect(servers.start(this::blockSecond, limits(SHORT))).get("/");
    awaitReports(CODE + "blockSecond", 1); // as long again
    awaitReports(CODE + "blockFirst", 1);

    assertThat(reports.stream().filter(text -> text.contains("blockFirst")).findFirst())
        .get(STRING)
        .matches(
            "(?s)peregrine-[0-9]+-loop-[01] has been busy for [0-9]+ ms with GET /slow of"
                + " /127.0.0.1:[0-9]+, in the application's code, [^ ]*blockFirst; .*")
        .contains("Handlers.blocking", "\tat java.base/java.util.concurrent.Semaphore.acquire");

    first.release();
    assertThat(one.read().text()).isEqualTo("at last");
    awaitReports(" ms in the end with GET /slow of ", 1);
    one.get("/");
    awaitReports(CODE + "blockFirst", 2); // another turn
    first.release();
    second.release();
    assertThat(one.read().text()).isEqualTo("at last");
    assertThat(two.read().text()).isEqualTo("at last");
    awaitReports(" ms in the end with GET /slow of ", 1);
    awaitReports(" ms in the end with GET / of ", 2);
  }

  /** A loader that waits for the disk, so to speak. */
  private final class SlowLoader extends ClassLoader {
    @Override
    public Class<?> loadClass(String name) {
      first.acquireUninterruptibly();
      return LoopBlockedIT.class;
    }
  }

  private void loadClass(Request request, Response response) throws Exception {
    Class<?> loaded = Class.forName(LoopBlockedIT.class.getName(), false, new SlowLoader());
    response.text(loaded.getSimpleName());
  }

  @Test
  void reportsClassLoadingInOneLineForAllOfTenSeconds() {
    long start = System.nanoTime();
    HttpServer server =
        servers.start(this::loadClass, options -> options.name("loading").limits(limits(SHORT)));
    for (int i = 0; i < 3; i++) {
      RawClient one = servers.connect(server).get("/slow");
      Await.until(
          () -> "a report: " + reports, () -> takeReports().anyMatch(LoopBlockedIT::isOfLoading));
      RawClient two = servers.connect(servers.start(this::blockSecond, limits(SHORT))).get("/");
      awaitReports(CODE + "blockSecond", i + 1); // as long again
      first.release();
      second.release();
      assertThat(one.read().text()).isEqualTo("LoopBlockedIT");
      assertThat(two.read().text()).isEqualTo("at last");
    }

    assertThat(takeReports().filter(LoopBlockedIT::isOfLoading))
        .hasSizeBetween(1, ServerLog.periodsSince(start))
        .allMatch(text -> text.startsWith("INFO ") && !text.contains("\tat "))
        .allMatch( // a starved loop may have been reported before
            text ->
                text.contains(", in loading or initialising classes, ") || !text.contains("/slow"));
  }

  private static boolean isOfLoading(String report) {
    return report.contains("loading-loop-");
  }

  /** Code of the application that the loop calls besides the handler. */
  private void blockLater(Request request, Response response) {
    if (request.pathIs("/content")) {
      request.body().receiveAll(10, content -> block(response));
    } else {
      response.async().onLoopAfter(Duration.ofMillis(1), () -> block(response));
    }
  }

  private void block(Response response) {
    first.acquireUninterruptibly();
    response.text("at last");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/content", "/task"})
  void namesTheRequestWhoseCallbackBlocks(String path) {
    RawClient client = servers.connect(servers.start(this::blockLater, limits(SHORT)));

    client.post(path, new byte[5]);

    awaitReports(", in the application's code, ", 1); // a slow machine loads classes before
    assertThat(reports)
        .anyMatch(text -> text.contains(" ms with POST " + path + " of /127.0.0.1:"));
    first.release();
    assertThat(client.read().text()).isEqualTo("at last");
    awaitReports(" ms in the end with POST " + path + " of ", 1);
  }

  @Test
  void leavesAHandlerAloneThatBlocksNoLongerThanItMay() {
    RawClient patient =
        servers.connect(servers.start(this::blockFirst, limits(Duration.ofMinutes(1)))).get("/");
    RawClient strict = servers.connect(servers.start(this::blockSecond, limits(SHORT))).get("/");

    awaitReports(CODE + "blockSecond", 1);

    awaitReports(CODE + "blockFirst", 0);
    first.release();
    second.release();
    assertThat(patient.read().text()).isEqualTo("at last");
    assertThat(strict.read().text()).isEqualTo("at last");
    awaitReports(" ms in the end ", 1);
  }

  private static ServerLimits limits(Duration blockedTime) {
    return Servers.LIMITS.toBuilder().loopBlockedTime(blockedTime).build();
  }

  /** Waits until that many reports, and no more, contain a text. */
  private void awaitReports(String text, int count) {
    Await.until(
        () -> count + " reports of " + text + ": " + reports,
        () -> takeReports().filter(report -> report.contains(text)).count() == count);
  }

  /** Returns all reports until now. */
  private Stream<String> takeReports() {
    for (LogRecord record : servers.log().takeReports()) {
      reports.add(ServerLog.describe(record).replaceFirst("^WARNING ", ""));
    }
    return reports.stream();
  }
}
