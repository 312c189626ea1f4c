package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application that never responds; {@code ResponseBeginTest} has the exact time. */
final class ForgottenResponseIT {
  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

  private HttpServer serve(Handler handler) {
    return servers.start(
        handler, Servers.LIMITS.toBuilder().responseBeginTime(Duration.ofMillis(100)).build());
  }

  private void forget(Response response) {
    response.async().onAbort(cause -> told.add("aborted"));
    responses.add(response);
  }

  @Test
  void isAnswered503AndLoggedWithItsPath() throws Exception {
    HttpServer server = serve((request, response) -> forget(response));
    RawClient client = servers.connect(server).get("/forgotten?secret");

    RawResponse answer = client.read();
    assertThat(answer.status()).isEqualTo(503);
    client.expectLast(answer);

    assertThat(told.take()).isEqualTo("aborted");
    List<LogRecord> records = servers.log().await(Level.WARNING);
    assertThat(records).hasSize(1);
    assertThat(ServerLog.describe(records.getFirst()))
        .contains("GET /forgotten", "503")
        .doesNotContain("secret");
    Response late = responses.take();
    assertThatIllegalStateException().isThrownBy(() -> late.text("late"));
  }

  @Test
  void doesNotTimeOutABlockingHandler() {
    CountDownLatch later = new CountDownLatch(1);
    Handler slow =
        Handlers.blocking(
            (request, response) -> {
              later.await();
              response.text("at last");
            });
    HttpServer server =
        serve(
            (request, response) -> {
              if (request.pathIs("/slow")) {
                slow.handle(request, response);
              } else {
                forget(response);
              }
            });
    RawClient patient = servers.connect(server).get("/slow");

    for (int i = 0; i < 2; i++) { // the slow one's time has passed after the second request
      assertThat(servers.connect(server).get("/").read().status()).isEqualTo(503);
    }
    later.countDown();

    assertThat(patient.read().text()).isEqualTo("at last");
    servers.log().await(Level.WARNING);
  }
}
