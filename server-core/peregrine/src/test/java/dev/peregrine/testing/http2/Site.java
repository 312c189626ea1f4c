package dev.peregrine.testing.http2;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Requests;
import java.util.Objects;

/** The handlers that tests of HTTP/2 share, by path. */
public final class Site {
  /** The content at {@code /large}. */
  public static final byte[] LARGE = Requests.content(1 << 20);

  private static final Handler PIECES = Echo.PIECES.handler();
  private static final Handler WHOLE = Echo.WHOLE.handler();
  private static final Handler BLOCKING = Echo.BLOCKING.handler();

  private Site() {}

  /** Handles a request. */
  public static void handle(Request request, Response response) throws Exception {
    switch (request.path()) {
      case "/", "/ignore" -> response.text("hello");
      case "/echo" -> PIECES.handle(request, response);
      case "/whole" -> WHOLE.handle(request, response);
      case "/blocking" -> BLOCKING.handle(request, response);
      case "/large" -> response.send(LARGE);
      case "/trailers" ->
          response.stream().write(Requests.bytes("body")).trailer("x-end", "yes").complete();
      case "/facts" ->
          response.text(
              request.method()
                  + " "
                  + request.target()
                  + " "
                  + request.host()
                  + " "
                  + Objects.requireNonNullElse(request.header("cookie"), "-"));
      default -> response.status(404).text("not found");
    }
  }
}
