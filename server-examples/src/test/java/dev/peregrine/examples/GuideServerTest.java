package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.observe.DrainResult;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The start, limits and the shutdown, as docs/guide/server.md shows them. See {@link
 * GuideTextTest}.
 */
class GuideServerTest extends GuideCase {
  @Test
  void starts() throws Exception {
    int port = 0;
    // snippet: start
    HttpServer server =
        Peregrine.builder()
            .port(port) // 0 takes a free one: see server.port()
            .handler((request, response) -> response.text("Hello, " + request.path() + "\n"))
            .start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/you").body()).isEqualTo("Hello, /you\n");
  }

  @Test
  void listensOnEndpoints(@TempDir Path directory) throws Exception {
    Handler handler = (request, response) -> response.text("here");
    Path socketFile = directory.resolve("s");
    // snippet: endpoints
    HttpServer server =
        Peregrine.builder()
            .endpoint(Endpoint.tcp("127.0.0.1", 0))
            .endpoint(Endpoint.unix(socketFile).withPermissions("rw-rw----"))
            .handler(handler)
            .start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/").body()).isEqualTo("here");
    assertThat(server.addresses()).contains(UnixDomainSocketAddress.of(socketFile));
  }

  @Test
  void setsLimits() throws Exception {
    Handler handler = (request, response) -> request.body().receiveAll(1_000, response::send);
    // snippet: limits
    ServerLimits limits =
        ServerLimits.builder()
            .bodyBytesMax(100_000)
            .requestHeadTime(Duration.ofSeconds(5))
            .connectionsMax(10_000)
            .build();
    HttpServer server = Peregrine.builder().port(0).limits(limits).handler(handler).start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.post("/", "x".repeat(100_001)).statusCode()).isEqualTo(413);
    assertThat(client.post("/", "x").body()).isEqualTo("x");
  }

  @Test
  void losesNoRequestAtShutdown() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    HttpServer server =
        open(
            Peregrine.builder()
                .port(0)
                .handler(
                    Handlers.blocking(
                        (request, response) -> {
                          arrived.countDown();
                          answer.await();
                          response.text("complete");
                        }))
                .start());
    Client client = open(new Client(server.port()));
    CompletableFuture<String> underWay = CompletableFuture.supplyAsync(() -> body(client));
    arrived.await();
    CompletableFuture<Boolean> ended =
        CompletableFuture.supplyAsync(
            () -> {
              // snippet: shutdown
              DrainResult result = server.shutdown(Duration.ofSeconds(20));
              // end
              return result.isComplete();
            });
    answer.countDown();

    assertThat(underWay.get()).isEqualTo("complete");
    assertThat(ended.get()).isTrue();
  }

  private static String body(Client client) {
    try {
      return client.get("/").body();
    } catch (IOException | InterruptedException failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void shutsDownWithTheProgram() {
    HttpServer server =
        open(Peregrine.builder().port(0).handler((request, response) -> response.send()).start());
    // snippet: hook
    server.drainOnExit(Duration.ZERO, Duration.ofSeconds(20));
    // end
    assertThat(server.connectionCount()).isZero();
  }

  @Test
  void reportsWhetherItIsReady() throws Exception {
    AtomicBoolean stockIsLoaded = new AtomicBoolean();
    Handler site = (request, response) -> response.text("home");
    // snippet: operated
    Health health = new Health().check("stock", stockIsLoaded::get);
    Routes routes =
        Routes.builder()
            .get("/livez", health.liveness())
            .get("/readyz", health.readiness())
            .get("/*", site)
            .build();
    HttpServer server = Peregrine.builder().port(0).health(health).handler(routes).start();
    server.drainOnExit(Duration.ofSeconds(10), Duration.ofSeconds(20)); // lame duck, patience
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/").body()).isEqualTo("home");
    assertThat(client.get("/livez").statusCode()).isEqualTo(200);
    assertThat(client.get("/readyz").statusCode()).isEqualTo(503);
    stockIsLoaded.set(true);
    assertThat(client.get("/readyz").statusCode()).isEqualTo(200);
  }
}
