package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.http.Handler;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.connection.GroupTime;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The time that the server waits for an async response. */
final class ResponseBeginTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final List<Response> responses = new ArrayList<>();
  private final List<ResponseStream> streams = new ArrayList<>();
  private final List<RequestBody> bodies = new ArrayList<>();
  private final List<String> told = new ArrayList<>();

  private Handler waiting() {
    return (request, response) -> responses.add(response.async());
  }

  private static ScriptedServer server(Handler handler) {
    return new ScriptedServer(handler, () -> 0); // only ticks let time pass
  }

  private static void skip(ScriptedServer server, Duration time) {
    long ticks = time.toNanos() / GroupTime.tickNanos(server.connections);
    server.loop.run(() -> GroupTime.skipTicks(server.connections, ticks));
  }

  private static ScriptedSocket ask(ScriptedServer server, byte[] request) {
    ScriptedSocket socket = server.connect();
    socket.receive(request);
    server.serve(socket);
    return socket;
  }

  @Test
  void answers503AtTheLimitAndNotBefore() {
    try (ScriptedServer server = server(waiting())) {
      ScriptedSocket socket = ask(server, Requests.get("/"));

      skip(server, LIMIT.minusSeconds(1));
      assertThat(socket.text()).isEmpty();
      skip(server, Duration.ofSeconds(1));

      assertThat(socket.text()).startsWith("HTTP/1.1 503 ").contains("Connection: close\r\n");
      assertThat(server.loop.call(() -> server.connections.get(0).isOpen())).isFalse();
    }
  }

  @Test
  void takesAResponseThatBeginsInTime() {
    try (ScriptedServer server = server(waiting())) {
      ScriptedSocket socket = ask(server, Requests.get("/"));
      skip(server, LIMIT.minusSeconds(1));

      responses.getFirst().text("in time");
      server.serve(socket);
      skip(server, LIMIT.multipliedBy(2));

      assertThat(socket.text()).startsWith("HTTP/1.1 200 ").endsWith("in time");
    }
  }

  @Test
  void countsFromZeroForEveryRequestOfAConnection() {
    try (ScriptedServer server = server(waiting())) {
      ScriptedSocket socket = ask(server, Requests.get("/"));
      skip(server, LIMIT.minusSeconds(1));
      responses.getFirst().text("first");
      socket.receive(Requests.get("/"));
      server.serve(socket);
      skip(server, LIMIT.minusSeconds(1));

      assertThat(socket.text()).endsWith("first");
      responses.getLast().text("second");
      server.serve(socket);
      assertThat(socket.text()).endsWith("second");
    }
  }

  @Test
  void leavesAResponseAloneThatHasBegun() {
    Handler streaming =
        (request, response) -> {
          ResponseStream stream = response.async().stream();
          stream.flush();
          streams.add(stream);
        };
    try (ScriptedServer server = server(streaming)) {
      ScriptedSocket socket = ask(server, Requests.get("/"));
      skip(server, LIMIT.multipliedBy(2));

      streams.getFirst().write(Requests.bytes("event")).complete();
      server.serve(socket);

      assertThat(socket.text()).endsWith("5\r\nevent\r\n0\r\n\r\n");
    }
  }

  @Test
  void doesNotCountTheTimeInWhichContentIsReceived() {
    Handler upload =
        (request, response) -> {
          response.async();
          request.body().receiveAll(100, content -> responses.add(response));
        };
    try (ScriptedServer server = server(upload)) {
      ScriptedSocket socket = ask(server, Requests.bytes(Requests.postHead("/", 2) + "a"));
      skip(server, LIMIT.multipliedBy(2));
      socket.receive(Requests.bytes("b"));
      server.serve(socket);
      skip(server, LIMIT.minusSeconds(1));
      assertThat(socket.text()).isEmpty();

      skip(server, Duration.ofSeconds(1));

      assertThat(socket.text()).startsWith("HTTP/1.1 503 ");
    }
  }

  @Test
  void endsARequestWhoseContentIsNeverResumed() {
    Handler pausing =
        (request, response) -> {
          request.body().pause();
          bodies.add(request.body());
          request.body().receive(Listeners.of(data -> {}, () -> {}, cause -> told.add("content")));
          response.onAbort(cause -> told.add("response"));
        };
    try (ScriptedServer server = server(pausing)) {
      ScriptedSocket socket = ask(server, Requests.post("/", new byte[10]));

      skip(server, LIMIT);

      assertThat(socket.text()).startsWith("HTTP/1.1 503 ");
      assertThat(told).containsExactlyInAnyOrder("content", "response");
    }
  }

  @Test
  void takesALimitThatIsSetForOneResponse() {
    Handler longPoll =
        (request, response) ->
            responses.add(
                response.async(Duration.ofSeconds(Long.parseLong(request.path().substring(1)))));
    try (ScriptedServer server = server(longPoll)) {
      ScriptedSocket longer = ask(server, Requests.get("/600"));
      ScriptedSocket shorter = ask(server, Requests.get("/10"));
      ScriptedSocket endless = ask(server, Requests.get("/0"));

      skip(server, Duration.ofSeconds(15));
      assertThat(shorter.text()).startsWith("HTTP/1.1 503 ");
      assertThat(longer.text()).isEmpty();
      skip(server, Duration.ofSeconds(570));
      assertThat(longer.text()).isEmpty();
      skip(server, Duration.ofSeconds(30));
      assertThat(longer.text()).startsWith("HTTP/1.1 503 ");
      skip(server, LIMIT.multipliedBy(10));
      assertThat(endless.text()).isEmpty();
    }
  }

  @Test
  void rejectsANegativeLimit() {
    Handler negative =
        (request, response) -> {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> response.async(Duration.ofNanos(-1)));
          response.text("refused");
        };
    try (ScriptedServer server = server(negative)) {
      assertThat(server.exchange(Requests.get("/"))).endsWith("refused");
    }
  }
}
