package dev.peregrine.server.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.http2.Http2Client;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A response that a handler has kept, on a connection whose streams are not of one user: those that
 * a proxy passes on.
 */
final class KeptStreamIT {
  private static final int MORE_THAN_REST = 40;
  private static final int VICTIMS = 24;

  @RegisterExtension final Servers servers = new Servers();

  private final List<Response> kept = new CopyOnWriteArrayList<>();
  private final List<Throwable> thrown = new CopyOnWriteArrayList<>();

  private void handle(Request request, Response response) {
    switch (request.path()) {
      case "/keep" -> kept.add(response);
      case "/waiting" -> request.body().receiveAll(10, content -> response.text("for the victim"));
      case "/use" -> thrown.add(catchThrowable(() -> kept.getFirst().text("stranger")));
      default -> {}
    }
    if (!request.path().equals("/waiting")) {
      response.text("at once");
    }
  }

  @Test
  void isNeverThatOfAStreamThatWaitsWhileAHandlerOfAnotherOneRuns() {
    HttpServer server = servers.start(this::handle, options -> options.loops(1));
    Http2Client client = servers.connectHttp2(server);
    client.get("/keep");
    for (int i = 0; i < MORE_THAN_REST; i++) {
      client.get("/");
    }
    List<Integer> victims = new ArrayList<>();
    for (int i = 0; i < VICTIMS; i++) {
      victims.add(client.begin("POST", "/waiting"));
      client.get("/");
      client.get("/");
    }

    client.get("/use");
    assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    for (int victim : victims) {
      client.content(victim, Requests.bytes("x"), true);
      assertThat(client.await(victim).text()).isEqualTo("for the victim");
    }
  }
}
