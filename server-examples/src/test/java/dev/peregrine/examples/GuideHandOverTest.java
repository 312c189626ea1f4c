package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.server.handover.SystemdNotifier;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A restart without a lost connection, as docs/RUN-IT.md shows it. See {@link GuideTextTest}. */
class GuideHandOverTest extends GuideCase {
  private interface Pool extends Closeable {
    @Override
    void close();
  }

  private static void notifySystemd() {
    SystemdNotifier systemd = SystemdNotifier.ofProcess();
    if (systemd != null) {
      try {
        systemd.mainProcess();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  @Test
  void handsItsSocketsOver() throws Exception {
    assumeTrue(Epoll.problem() == null, "it needs the epoll transport");
    Path directory = Files.createTempDirectory("gh"); // short: a socket's path has 107 bytes
    open(() -> Files.delete(directory));
    HttpServer old = start(directory, (request, response) -> response.text("old"));

    HttpServer next = start(directory, (request, response) -> response.text("next"));

    assertThat(next.port()).isEqualTo(old.port());
    assertThat(open(new Client(next.port())).get("/").body()).isEqualTo("next");
  }

  private HttpServer start(Path directory, Handler handler) {
    Pool connectionPool = () -> {};
    // snippet: hand-over
    HandOver handOver =
        HandOver.at(directory.resolve("hand-over.sock"))
            .withPatience(Duration.ofSeconds(20))
            .beforeReady(() -> notifySystemd())
            .onHandedOver(() -> connectionPool.close());
    HttpServer server = Peregrine.builder().port(0).with(handOver).handler(handler).start();
    // end
    return open(server);
  }
}
