package dev.peregrine.bench.compare.server;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Helidon: a virtual thread per connection, all on one carrier thread. As in its TechEmpower entry,
 * request heads and paths are not validated and neither requests nor responses are logged; writes
 * stay on the connection's thread, because the server has only one processor. Nagle's delay is off,
 * because pipelined requests would wait for it.
 */
final class HelidonServer implements ComparedServer {
  private static final byte[] HELLO_BYTES = HELLO.getBytes(StandardCharsets.US_ASCII);
  private static final Header TEXT =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/plain");
  private static final Header JSON =
      HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "application/json");
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
            .connectionOptions(options -> options.tcpNoDelay(true))
            .addProtocol(http())
            .routing(HelidonServer::routes)
            .build()
            .start();
    server = started;
    return started.port();
  }

  @SuppressWarnings("removal") // still the way to turn the log off
  private static Http1Config http() {
    return Http1Config.builder()
        .validateRequestHeaders(false)
        .validatePath(false)
        .sendKeepAliveHeader(false)
        .receiveLog(false)
        .sendLog(false)
        .build();
  }

  private static void routes(HttpRouting.Builder routing) {
    routing
        .get("/plaintext", HelidonServer::plaintext)
        .get("/json", HelidonServer::json)
        .post("/echo", HelidonServer::echo);
  }

  private static void plaintext(ServerRequest request, ServerResponse response) {
    response.header(TEXT).send(HELLO_BYTES);
  }

  private static void json(ServerRequest request, ServerResponse response) {
    response.header(JSON).send(Message.json(HELLO));
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
