package dev.peregrine.bench.compare.server;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Peregrine, one event loop, everything as it comes: limits, deadlines and validation are on. */
final class PeregrineServer implements ComparedServer {
  private static final byte[] HELLO_BYTES = HELLO.getBytes(StandardCharsets.US_ASCII);

  private final TransportKind transport;
  private @Nullable HttpServer server;

  PeregrineServer(TransportKind transport) {
    this.transport = transport;
  }

  @Override
  public int start(int port) {
    HttpServer started =
        HttpServer.builder()
            .host(HOST)
            .port(port)
            .loops(1)
            .backlog(BACKLOG)
            .transport(transport)
            .handler(PeregrineServer::handle)
            .start();
    server = started;
    return started.port();
  }

  private static void handle(HttpRequest request, HttpResponse response) {
    if (request.pathIs("/plaintext")) {
      response.contentType(ContentType.TEXT_PLAIN).send(HELLO_BYTES);
    } else if (request.pathIs("/echo")) {
      response.contentType(ContentType.APPLICATION_OCTET_STREAM);
      request.body().readAll(CONTENT_BYTES_MAX, response::send);
    } else {
      response.status(HttpStatus.NOT_FOUND).send();
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
