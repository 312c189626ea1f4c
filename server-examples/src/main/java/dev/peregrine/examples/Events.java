package dev.peregrine.examples;

import dev.peregrine.http.EventStream;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.time.Instant;

/**
 * Server-sent events: the time, once a second, until the client goes away. Try {@code curl -N
 * http://127.0.0.1:8080/}.
 */
public final class Events {
  private static final long INTERVAL_MILLIS = 1000;

  private Events() {}

  static HttpServer start(int port) {
    return HttpServer.builder().port(port).handler(Handlers.blocking(Events::handle)).start();
  }

  private static void handle(Request request, Response response)
      throws IOException, InterruptedException {
    EventStream events = EventStream.open(response);
    while (true) {
      events.send(Instant.now().toString()); // throws when the client has gone
      Thread.sleep(INTERVAL_MILLIS); // on a virtual thread, so no other request waits
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
