package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Responds when another part of the program is ready, from any thread. Try {@code curl -i
 * http://127.0.0.1:8080/}.
 */
public final class Later {
  private Later() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Later::handle).start();
  }

  private static void handle(Request request, Response response) {
    // If the lookup fails, so does the exchange: the client gets 500.
    response.async(() -> lookUp(request.path()).thenAccept(response::text));
  }

  /** Represents a client of a database or another service. */
  private static CompletableFuture<String> lookUp(String key) {
    Executor inAMoment = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);
    return CompletableFuture.supplyAsync(() -> find(key), inAMoment);
  }

  private static String find(String key) {
    if (key.equals("/missing")) {
      throw new IllegalArgumentException("no value for " + key);
    }
    return "The value of " + key + "\n";
  }

  public static void main(String[] args) {
    start(8080);
  }
}
