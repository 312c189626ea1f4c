package dev.peregrine.bench.compare.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Helidon: a virtual thread per connection, all on one carrier thread. */
final class HelidonServer implements ComparedServer {
  private static final byte[] HELLO_BYTES = HELLO.getBytes(StandardCharsets.US_ASCII);
  private static final Header TEXT =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
  private static final Header OCTETS =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/octet-stream");

  private @Nullable WebServer server;

  @Override
  public int start(int port) {
    WebServer started =
        WebServer.builder()
            .host(HOST)
            .port(port)
            .backlog(BACKLOG)
            .maxPayloadSize(CONTENT_BYTES_MAX)
            .routing(HelidonServer::routes)
            .build()
            .start();
    server = started;
    return started.port();
  }

  private static void routes(HttpRouting.Builder routing) {
    routing.get("/plaintext", HelidonServer::plaintext).post("/echo", HelidonServer::echo);
  }

  private static void plaintext(ServerRequest request, ServerResponse response) {
    response.header(TEXT).send(HELLO_BYTES);
  }

  private static void echo(ServerRequest request, ServerResponse response) {
    response.header(OCTETS).send(request.content().as(byte[].class));
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop();
    }
  }
}
