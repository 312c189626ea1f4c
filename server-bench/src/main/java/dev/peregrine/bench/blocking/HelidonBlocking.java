package dev.peregrine.bench.blocking;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Helidon: a virtual thread per connection. Nagle's delay is off, because pipelined requests would
 * wait for it.
 */
final class HelidonBlocking implements BlockingServer {
  private static final Header TYPE = HeaderValues.createCached(HeaderNames.CONTENT_TYPE, TEXT);

  private final Work work;
  private @Nullable WebServer server;

  HelidonBlocking(Work work) {
    this.work = work;
  }

  @Override
  public int start(int port) {
    WebServer started =
        WebServer.builder()
            .host(HOST)
            .port(port)
            .backlog(BACKLOG)
            .connectionOptions(options -> options.tcpNoDelay(true))
            .routing(routing -> routing.get("/*", this::handle))
            .build()
            .start();
    server = started;
    return started.port();
  }

  private void handle(ServerRequest request, ServerResponse response) throws Exception {
    response.header(TYPE).send(work.at(request.path().path()));
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop();
    }
  }
}
