package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventStreamIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sendsEvents(boolean blocking) {
    HttpHandler handler =
        (request, response) -> {
          try (EventStream events = EventStream.open(response)) {
            events.send("one\ntwo\r\nthree\rfour");
            events.send(ServerSentEvent.of("").event("tick").id("7").retry(Duration.ofSeconds(2)));
            events.send(ServerSentEvent.of(" ü ").id(""));
            events.send(ServerSentEvent.reconnectAfter(Duration.ofMillis(5)));
            events.comment("still\nhere");
          }
        };
    HttpServer server = servers.start(blocking ? Handlers.blocking(handler) : handler);

    RawResponse answer = servers.connect(server).get("/").read();

    assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream");
    assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    assertThat(answer.text())
        .isEqualTo(
            """
            data: one
            data: two
            data: three
            data: four

            event: tick
            id: 7
            retry: 2000
            data:\s

            id:\s
            data:  ü\s

            retry: 5

            : still
            : here

            """);
  }

  @Test
  void sendsEachEventAtOnce() throws Exception {
    BlockingQueue<String> toSend = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  try (EventStream events = EventStream.open(response)) {
                    for (int i = 0; i < 3; i++) {
                      events.send(toSend.take());
                    }
                  }
                }));
    RawClient client = servers.connect(server).get("/");
    client.readUntil("\r\n\r\n");

    for (String data : new String[] {"a", "b", "c"}) {
      toSend.add(data);
      client.readUntil("data: " + data + "\n\n");
    }
  }

  @Test
  void refusesWhatWouldStartAnotherLine() {
    ServerSentEvent event = ServerSentEvent.of("data");

    assertThatIllegalArgumentException().isThrownBy(() -> event.event("a\nb"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.event("a\rb"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.id("a\nb"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.id("a\0b"));
    assertThatIllegalArgumentException().isThrownBy(() -> event.retry(Duration.ofMillis(-1)));
  }

  @Test
  void tellsWhichEventWasTheLast() {
    HttpServer server =
        servers.start((request, response) -> response.text("" + EventStream.lastEventId(request)));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("null");
    client.send(Requests.lines("GET / HTTP/1.1", "Host: a", "Last-Event-ID: 7\u00c3\u00bc"));
    assertThat(client.read().text()).isEqualTo("7ü");
  }

  @Test
  void waitsForAClientThatIsBehindAndFailsWhenItGoes() throws Exception {
    BlockingQueue<Object> results = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  EventStream events = EventStream.open(response);
                  results.add(events);
                  try {
                    while (true) {
                      events.send("x".repeat(10_000));
                    }
                  } catch (IOException gone) {
                    results.add(gone);
                  }
                }));
    RawClient client = servers.connect(server, 4096).get("/");
    EventStream events = (EventStream) results.take();
    Await.until("the client is behind", () -> !events.isWritable());

    client.reset();

    assertThat(results.take()).isInstanceOf(IOException.class);
  }
}
