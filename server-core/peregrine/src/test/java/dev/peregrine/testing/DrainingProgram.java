package dev.peregrine.testing;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * An instance behind a proxy: health checks, requests, uploads and slow streams, and a drain at
 * SIGTERM. Prints its address once it listens.
 */
public final class DrainingProgram {
  private static final int CHUNKS = 5;
  private static final int CHUNK_BYTES = 1000;
  private static final long CHUNK_MILLIS = 20;
  private static final int UPLOAD_BYTES_MAX = 1 << 20;

  /** The content of a stream, sent within a tenth of a second. */
  public static final int STREAM_BYTES = CHUNKS * CHUNK_BYTES;

  private DrainingProgram() {}

  /** A log whose lines at the exit aren't lost. */
  public static final class OpenLog extends LogManager {
    @Override
    public void reset() {}
  }

  /**
   * Starts a server.
   *
   * @param args the transport; a port or the path of a socket; the name to answer with; the lame
   *     duck and the patience, in milliseconds
   */
  public static void main(String... args) {
    Logger ignored = Logger.getLogger("application"); // which doesn't open the log's handlers
    Endpoint endpoint =
        args[1].startsWith("/")
            ? Endpoint.unix(Path.of(args[1]))
            : Endpoint.tcp("127.0.0.1", Integer.parseInt(args[1]));
    Health health = new Health();
    HttpServer server =
        Peregrine.builder()
            .loops(2)
            .transport(TransportKind.valueOf(args[0]))
            .endpoint(endpoint)
            .health(health)
            .limits(Servers.LIMITS)
            .handler(routes(args[2], health))
            .start();
    server.drainOnExit(
        Duration.ofMillis(Long.parseLong(args[3])), Duration.ofMillis(Long.parseLong(args[4])));
    System.out.println(server.addresses().getFirst());
  }

  private static Handler routes(String name, Health health) {
    return Routes.builder()
        .get("/livez", health.liveness())
        .get("/readyz", health.readiness())
        .get("/name", (request, response) -> response.text(name))
        .get("/stream", Handlers.blocking((request, response) -> stream(response.outputStream())))
        .get("/exit", (request, response) -> System.exit(7))
        .post(
            "/upload",
            (request, response) ->
                request
                    .body()
                    .receiveAll(UPLOAD_BYTES_MAX, content -> response.text("" + content.length)))
        .build();
  }

  private static void stream(OutputStream body) throws Exception {
    for (int i = 0; i < CHUNKS; i++) {
      body.write(Requests.content(CHUNK_BYTES));
      body.flush();
      Thread.sleep(CHUNK_MILLIS); // the response lasts over a restart; nothing waits for this
    }
  }
}
