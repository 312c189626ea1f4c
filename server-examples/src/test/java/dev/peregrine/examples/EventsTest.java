package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventsTest {
  @Test
  void sendsEventsWhileTheResponseContinues() throws Exception {
    try (HttpServer server = Events.start(0);
        Client client = new Client(server.port())) {
      HttpResponse<Stream<String>> answer =
          client.send("GET", "/", BodyPublishers.noBody(), BodyHandlers.ofLines());

      assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
      try (Stream<String> lines = answer.body()) {
        assertThat(lines.filter(line -> !line.isEmpty()).limit(2))
            .allMatch(line -> line.startsWith("data: "));
      }
    }
  }
}
