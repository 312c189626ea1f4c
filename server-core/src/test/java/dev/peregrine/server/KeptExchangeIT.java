package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A request and a response that another thread has kept without {@code async()}. */
final class KeptExchangeIT {
  private static final int MORE_THAN_REST = 40;

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();
  private final BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
  private final BlockingQueue<Response> later = new LinkedBlockingQueue<>();

  private final Handler handler =
      (request, response) -> {
        if (request.pathIs("/keep")) {
          requests.add(request);
          responses.add(response);
          response.text("kept");
        } else if (request.pathIs("/later")) {
          later.add(response.async());
        } else {
          response.text("at once");
        }
      };

  private HttpServer serve(boolean reuse) {
    return servers.start(handler, options -> options.loops(1).reuseExchanges(reuse));
  }

  private static List<ThrowingCallable> uses(Request request, Response response) {
    return List.of(
        request::path,
        () -> request.header("Cookie"),
        () -> request.body().receiveAll(10, content -> {}),
        () -> response.header("Set-Cookie", "a=b"),
        () -> response.text("stranger"),
        () -> response.stream().complete(),
        () -> response.onAbort(cause -> {}),
        () -> response.onClientClosed(() -> {}),
        () -> response.onShutdown(() -> {}),
        response::isCommitted);
  }

  /** Calls the ends that a {@code finally} block may call late: they do nothing. */
  private static void tryToEnd(Response response) {
    response.onLoop(
        () -> {
          throw new HttpException(418, "stranger");
        });
    response.fail(new HttpException(418, "stranger"));
    response.complete();
  }

  @Test
  void throwsOnceItHasEnded() throws Exception {
    RawClient client = servers.connect(serve(true));
    client.get("/keep").read();

    for (ThrowingCallable use : uses(requests.take(), responses.take())) {
      assertThatIllegalStateException().isThrownBy(use);
    }
  }

  @Test
  void isNotUsedAgainOnceItWasSeenToBeKept() throws Exception {
    HttpServer server = serve(true);
    RawClient client = servers.connect(server);
    client.get("/keep").read();
    Request request = requests.take();
    Response response = responses.take();
    assertThatIllegalStateException().isThrownBy(() -> response.text("stranger"));

    expectStrangerToFail(server, client, request, response);
  }

  @Test
  void neverMeetsALaterExchangeWithoutReuse() throws Exception {
    HttpServer server = serve(false);
    RawClient client = servers.connect(server);
    client.get("/keep").read();

    expectStrangerToFail(server, client, requests.take(), responses.take());
  }

  private void expectStrangerToFail(
      HttpServer server, RawClient client, Request request, Response response)
      throws InterruptedException {
    for (int i = 0; i < MORE_THAN_REST; i++) {
      assertThat(client.get("/").read().text()).isEqualTo("at once");
    }
    for (ThrowingCallable use : uses(request, response)) {
      RawClient victim = servers.connect(server);
      victim.get("/later");
      Response victims = later.take();

      assertThatIllegalStateException().isThrownBy(use);
      tryToEnd(response);

      victims.text("for the victim");
      assertThat(victim.read().text()).isEqualTo("for the victim");
      assertThat(victim.get("/").read().text()).isEqualTo("at once");
    }
  }
}
