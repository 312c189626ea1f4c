package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.http.route.Routes;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Health checks, on the port of operators: a server of its own. */
final class HealthIT {
  @RegisterExtension final Servers servers = new Servers();

  private final Health health = new Health();
  private RawClient operator;

  @BeforeEach
  void start() {
    HttpServer operators =
        servers.start(
            Routes.builder()
                .get("/livez", health.liveness())
                .get("/readyz", health.readiness())
                .build());
    operator = servers.connect(operators);
  }

  private HttpServer serve() {
    return servers.start((request, response) -> response.send(), options -> options.health(health));
  }

  private RawResponse check(String path) {
    return operator.get(path).read();
  }

  @Test
  void isNeitherLiveNorReadyBeforeTheStartAndAfterTheEnd() {
    assertThat(check("/livez").status()).isEqualTo(503);
    assertThat(check("/readyz").status()).isEqualTo(503);
    HttpServer server = serve();
    assertThat(check("/livez").status()).isEqualTo(200);
    assertThat(check("/readyz").status()).isEqualTo(200);

    server.close();

    assertThat(check("/livez").status()).isEqualTo(503);
    assertThat(check("/readyz").status()).isEqualTo(503);
    assertThat(health.isLive()).isFalse();
  }

  @Test
  void isReadyWhenTheApplicationIs() {
    serve();
    health.ready(false);
    assertThat(check("/readyz").text()).isEqualTo("not ready\n");
    assertThat(check("/livez").text()).isEqualTo("ok\n");

    health.ready(true);

    assertThat(check("/readyz").text()).isEqualTo("ok\n");
  }

  @Test
  void namesTheCheckThatFails() {
    AtomicBoolean holds = new AtomicBoolean();
    health.check("first", () -> true).check("stock", holds::get);
    serve();
    assertThat(check("/readyz").text()).isEqualTo("not ready: stock\n");

    holds.set(true);

    assertThat(check("/readyz").status()).isEqualTo(200);
  }

  @Test
  void logsOnceThatACheckThrows() {
    AtomicBoolean fails = new AtomicBoolean(true);
    health.check(
        "stock",
        () -> {
          if (fails.get()) {
            throw new IllegalStateException("thrown on purpose");
          }
          return true;
        });
    serve();

    assertThat(check("/readyz").status()).isEqualTo(503);
    assertThat(check("/readyz").status()).isEqualTo(503);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
    fails.set(false);
    assertThat(check("/readyz").status()).isEqualTo(200);
    fails.set(true);
    assertThat(check("/readyz").status()).isEqualTo(503);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void answersHead() {
    serve();

    RawResponse head =
        operator.send(Requests.lines("HEAD /readyz HTTP/1.1", "Host: a")).read("HEAD");

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Cache-Control")).isEqualTo("no-store");
    assertThat(head.content()).isEmpty();
    assertThat(check("/readyz").status()).isEqualTo(200);
  }

  @Test
  void isNotLiveOnceALoopHasFailed() {
    AtomicBoolean called = new AtomicBoolean();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            options -> options.health(health).onFatal((failed, cause) -> called.set(true)));
    assertThat(check("/livez").status()).isEqualTo(200);

    EventLoop loop = server.running().acceptors().getFirst().loop();
    loop.execute(() -> loop.fatal(new IllegalStateException("on purpose")));

    Await.until("the watchdog has noticed", called::get);
    assertThat(server.running().end().isClosed()).isFalse();
    assertThat(check("/livez").text()).isEqualTo("not live\n");
    assertThat(check("/readyz").status()).isEqualTo(503);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void rejectsANameThatIsNoToken() {
    assertThatIllegalArgumentException().isThrownBy(() -> health.check("a b", () -> true));
    assertThatIllegalArgumentException().isThrownBy(() -> health.check("", () -> true));
    assertThatIllegalArgumentException().isThrownBy(() -> health.check("x".repeat(65), () -> true));
    health.check("x".repeat(64), () -> true);
  }
}
