package dev.peregrine.bench.compare.server;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.TransportKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Peregrine on one event loop with its defaults: limits, deadlines and validation are on. The two
 * flags are those of docs/RUN-IT.md.
 */
final class PeregrineServer implements ComparedServer {
  static final List<String> FLAGS =
      List.of("--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED");

  private static final byte[] HELLO_BYTES = HELLO.getBytes(StandardCharsets.US_ASCII);

  private final TransportKind transport;
  private @Nullable HttpServer server;

  PeregrineServer(TransportKind transport) {
    this.transport = transport;
  }

  @Override
  public int start(int port) {
    HttpServer started =
        Peregrine.builder()
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

  private static void handle(Request request, Response response) {
    if (request.pathIs("/plaintext")) {
      response.contentType(ContentType.TEXT_PLAIN).send(HELLO_BYTES);
    } else if (request.pathIs("/json")) {
      response.contentType(ContentType.APPLICATION_JSON).send(Message.json(HELLO));
    } else {
      response.contentType(ContentType.APPLICATION_OCTET_STREAM);
      request.body().receiveAll(CONTENT_BYTES_MAX, response::send);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
