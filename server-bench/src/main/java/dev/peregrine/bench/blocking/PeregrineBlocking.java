package dev.peregrine.bench.blocking;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.sockets.LoopSockets;
import org.jspecify.annotations.Nullable;

/** Peregrine: one event loop; {@link Handlers#blocking}, or a handler on the loop. */
final class PeregrineBlocking implements BlockingServer {
  private final Work work;
  private final boolean blocking;
  private @Nullable HttpServer server;

  PeregrineBlocking(Work work, boolean blocking) {
    this.work = work;
    this.blocking = blocking;
  }

  @Override
  public int start(int port) {
    Handler handler = this::handle;
    HttpServerBuilder builder = Peregrine.builder();
    if (work.loopSockets) {
      builder.with(LoopSockets.create());
    }
    HttpServer started =
        builder
            .host(HOST)
            .port(port)
            .loops(1)
            .backlog(BACKLOG)
            .handler(blocking ? Handlers.blocking(handler) : handler)
            .start();
    server = started;
    return started.port();
  }

  private void handle(Request request, Response response) throws Exception {
    String path = request.pathIs(Work.PLAIN) ? Work.PLAIN : request.path();
    response.contentType(ContentType.TEXT_PLAIN).send(work.at(path));
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
