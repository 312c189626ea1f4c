package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.config.ServerLimits;
import java.time.Duration;

/**
 * Limits other than the defaults on what a client can make grow or last. Try {@code curl -i
 * --data-binary @FILE http://127.0.0.1:8080/} with more than a thousand bytes.
 */
public final class Limits {
  private static final int BODY_BYTES_MAX = 1000;

  private static final ServerLimits STRICT =
      ServerLimits.builder()
          .bodyBytesMax(BODY_BYTES_MAX)
          .requestHeadTime(Duration.ofSeconds(5))
          .connectionsMax(100)
          .build();

  private Limits() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).limits(STRICT).handler(Limits::handle).start();
  }

  private static void handle(Request request, Response response) {
    request
        .body()
        .receiveAll(
            BODY_BYTES_MAX,
            content -> {
              response.status(HttpStatus.CREATED);
              response.text("Took " + content.length + " bytes\n");
            });
  }

  public static void main(String[] args) {
    start(8080);
  }
}
