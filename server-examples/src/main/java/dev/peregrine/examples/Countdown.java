package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import java.nio.charset.StandardCharsets;

/**
 * Content of unknown length, generated only as fast as the client receives it. Try {@code curl
 * http://127.0.0.1:8080/}.
 */
public final class Countdown {
  private static final int FROM = 100_000;

  private Countdown() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Countdown::handle).start();
  }

  private static void handle(Request request, Response response) {
    response.contentType(ContentType.TEXT_PLAIN);
    countFrom(FROM, response.async().stream());
  }

  /** Writes until the client is behind, and continues when it has caught up. */
  private static void countFrom(int start, ResponseStream target) {
    int next = start;
    while (next >= 0 && target.isWritable()) {
      target.write((next-- + "\n").getBytes(StandardCharsets.US_ASCII));
    }
    if (next < 0) {
      target.complete();
    } else {
      int rest = next;
      target.onWritable(() -> countFrom(rest, target));
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
