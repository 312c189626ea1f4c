package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.events.EventStream;
import dev.peregrine.http.events.ServerSentEvent;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A browser's EventSource listens to an {@link EventStream}, if a browser is installed. */
class EventSourceIT {
  private static final String PAGE =
      """
      <!doctype html><html><body><output></output><script>
        const source = new EventSource("/events");
        const seen = [];
        const show = (e) => {
          seen.push(e.type + "(" + e.lastEventId + "): " + JSON.stringify(e.data));
          document.querySelector("output").textContent = seen.join(" | ");
        };
        source.onmessage = show;
        source.addEventListener("tick", show);
        source.addEventListener("end", (e) => { show(e); source.close(); });
      </script></body></html>
      """;

  @Test
  void getsEventsAndConnectsAgainWhereItLeftOff() throws Exception {
    Optional<Browser> browser = Browser.find();
    if (browser.isEmpty()) {
      System.out.println("SKIPPED: there is no Chromium here that works");
      Assumptions.abort("no Chromium");
    }
    Routes routes =
        Routes.builder()
            .get("/", (request, response) -> response.html(PAGE))
            .get("/events", Handlers.blocking(EventSourceIT::events))
            .build();
    try (HttpServer server = Peregrine.builder().handler(routes).start()) {
      String page = browser.orElseThrow().open("http://127.0.0.1:" + server.port() + "/");

      assertThat(page)
          .contains("message(): \"two\\nlines\" | tick(7ü): \"ü\" | end(7ü): \"after 7ü\"");
    }
  }

  private static void events(Request request, Response response) throws IOException {
    String last = EventStream.lastEventId(request);
    try (EventStream events = EventStream.open(response)) {
      if (last == null) {
        events.send(ServerSentEvent.reconnectAfter(Duration.ofMillis(1)));
        events.send("two\nlines");
        events.comment("nobody sees this");
        events.send(ServerSentEvent.of("ü").event("tick").id("7ü"));
      } else {
        events.send(ServerSentEvent.of("after " + last).event("end"));
      }
    }
  }
}
