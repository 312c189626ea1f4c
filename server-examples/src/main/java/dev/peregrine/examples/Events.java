package dev.peregrine.examples;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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

  private static void handle(HttpRequest request, HttpResponse response)
      throws IOException, InterruptedException {
    response.header("Content-Type", "text/event-stream").header("Cache-Control", "no-store");
    OutputStream out = response.outputStream();
    while (true) {
      out.write(("data: " + Instant.now() + "\n\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      Thread.sleep(INTERVAL_MILLIS);
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
