package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.accesslog.AccessLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The access log, as docs/guide/server.md shows it. See {@link GuideTextTest}. */
class GuideAccessLogTest extends GuideCase {
  @TempDir private Path dir;

  private static void serveUntilStopped(HttpServer server) throws Exception {
    try (Client client = new Client(server.port())) {
      assertThat(client.get("/path?query").body()).isEqualTo("in");
    }
    server.shutdown(Duration.ofSeconds(20)); // the request has ended on its loop
  }

  @Test
  void writesALineForEachRequest() throws Exception {
    Path file = dir.resolve("access.log");
    Handler handler = (request, response) -> response.text("in");
    // snippet: access-log
    try (AccessLog log = AccessLog.builder(file).format(AccessLog.Format.COMBINED).build();
        HttpServer server =
            Peregrine.builder().port(0).exchangeListener(log).handler(handler).start()) {
      serveUntilStopped(server); // then the server is closed first, and the log writes what waits
    }
    // end
    assertThat(Files.readAllLines(file)).singleElement().asString().contains("\"GET /path HTTP/");
  }
}
