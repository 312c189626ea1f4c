package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.events.EventStream;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Server-sent events: the time, once a second, until the client goes away. Try {@code curl -N
 * http://127.0.0.1:8080/}.
 */
public final class Events {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private Events() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Events::handle).start();
  }

  private static void handle(Request request, Response response) throws IOException {
    Response later = response.async();
    sendTime(later, EventStream.open(later));
  }

  private static void sendTime(Response response, EventStream events) {
    try {
      if (events.isWritable()) { // otherwise the client is behind
        events.send(Instant.now().toString());
      }
      response.onLoopAfter(INTERVAL, () -> sendTime(response, events));
    } catch (IOException gone) {
      // The stream has ended, and so has the exchange.
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
