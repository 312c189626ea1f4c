package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.server.accesslog.AccessLog;
import dev.peregrine.server.loop.ReliefProbe;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The lines of a connection are in the order of its exchanges, whichever threads run its loop. */
final class AccessLogOrderIT {
  private static final int REQUESTS = 40;

  @RegisterExtension final Servers servers = new Servers();
  @TempDir private Path dir;

  private final CompletableFuture<HttpServer> started = new CompletableFuture<>();

  private HttpServer start(ExchangeListener listener, Handler handler) {
    HttpServer server =
        servers.start(
            handler,
            options ->
                options
                    .loops(1)
                    .limits(Servers.LIMITS.toBuilder().leftHandlersMax(4).build())
                    .exchangeListener(listener));
    started.complete(server);
    return server;
  }

  /** Sends requests one after the other, and closes the server, then the log. */
  private List<String> targetsAfterRequests(ExchangeListener listener, AccessLog log)
      throws IOException {
    HttpServer server =
        start(
            listener,
            (request, response) -> {
              ReliefProbe.leave(started.join().running().acceptors().getFirst().loop());
              response.text(request.path());
            });
    RawClient client = servers.connect(server);
    for (String target : targets().toList()) {
      assertThat(client.get(target).read().text()).isEqualTo(target);
    }
    server.close();
    Await.until(
        () -> "the last handler that was left returns its block: " + server.bufferBytesInUse(),
        () -> server.bufferBytesInUse() == 0);
    log.close();
    try (Stream<String> lines = Files.lines(dir.resolve("access.log"))) {
      return lines.map(AccessLogOrderIT::target).toList();
    }
  }

  private static String target(String line) {
    int from = line.indexOf("GET ") + 4;
    return line.substring(from, line.indexOf(' ', from));
  }

  private static Stream<String> targets() {
    return IntStream.range(0, REQUESTS).mapToObj(i -> "/" + i);
  }

  private AccessLog log() {
    return AccessLog.builder(dir.resolve("access.log")).build();
  }

  @Test
  void handlersThatWereLeftInARowHaveTheirLinesInOrder() throws Exception {
    try (AccessLog log = log()) {
      assertThat(targetsAfterRequests(log, log)).containsExactlyElementsOf(targets().toList());
    }
  }

  @Test
  void aListenerMayPassExchangesOn() throws Exception {
    try (AccessLog log = log()) {
      ExchangeListener most =
          new ExchangeListener() {
            @Override
            public void onEnd(ExchangeInfo exchange) {
              if (!exchange.target().equals("/7")) {
                log.onEnd(exchange);
              }
            }
          };

      assertThat(targetsAfterRequests(most, log))
          .containsExactlyElementsOf(targets().filter(target -> !target.equals("/7")).toList());
    }
  }
}
