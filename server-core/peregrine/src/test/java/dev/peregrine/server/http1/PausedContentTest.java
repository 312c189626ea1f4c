package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Content that is paused when the response is complete. */
final class PausedContentTest {
  private final CompletableFuture<Response> begun = new CompletableFuture<>();
  private final ScriptedServer server = new ScriptedServer(this::handle);

  private void handle(Request request, Response response) {
    if (request.pathIs("/next")) {
      response.text("next");
      return;
    }
    response.async();
    begun.complete(response);
    request.body().receive(Listeners.of(data -> request.body().pause(), () -> {}));
  }

  @AfterEach
  void end() {
    server.checkIdleMemory();
    server.close();
  }

  @Test
  void isReadToItsEndOnceItIsDismissed() {
    ScriptedSocket socket = server.connect();
    socket.receive(Requests.postHead("/", 6)).receive("ab").receive("cd");
    server.serve(socket);

    begun.join().text("first");
    server.serve(socket);
    socket.receive("ef").receive(Requests.get("/next"));
    server.serve(socket);

    assertThat(socket.text()).containsSubsequence("first", "next");
    socket.receiveEnd();
    server.serve(socket);
  }
}
