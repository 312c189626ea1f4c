package dev.peregrine;

import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.server.http2.Http2;
import dev.peregrine.server.jfr.FlightEvents;
import dev.peregrine.server.websocket.WebSocketProtocol;

/**
 * Servers with all that Peregrine has.
 *
 * <pre>{@code
 * HttpServer server =
 *     Peregrine.builder()
 *         .port(8080)
 *         .handler((request, response) -> response.text("Hello"))
 *         .start();
 * }</pre>
 */
public final class Peregrine {
  private Peregrine() {}

  /**
   * Returns a builder for a server that speaks HTTP/1.1, HTTP/2 and WebSocket, uses the system
   * calls of Linux where they work, and is seen by the Flight Recorder. The same with fewer parts
   * is {@link HttpServer#builder} and {@link
   * HttpServerBuilder#with(dev.peregrine.server.config.ServerPart)}.
   */
  public static HttpServerBuilder builder() {
    return HttpServer.builder()
        .with(Http2.create())
        .with(WebSocketProtocol.create())
        .with(Epoll.create())
        .with(FlightEvents.create());
  }
}
