package dev.peregrine.testing;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.ResponseStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The ways in which a handler can answer with the content it was sent. */
public enum Echo {
  /** Collects the content, then sends it whole. */
  WHOLE,
  /** Sends each piece as it comes, on the event loop. */
  PIECES,
  /** Copies between streams on a thread that blocks. */
  BLOCKING;

  public HttpHandler handler() {
    return switch (this) {
      case WHOLE -> Echo::whole;
      case PIECES -> Echo::pieces;
      case BLOCKING -> Handlers.blocking(Echo::copy);
    };
  }

  private static void whole(HttpRequest request, HttpResponse response) {
    request.body().readAll(Integer.MAX_VALUE, response::send);
  }

  private static void copy(HttpRequest request, HttpResponse response) throws IOException {
    try (InputStream in = request.body().inputStream();
        OutputStream out = response.outputStream()) {
      in.transferTo(out);
    }
  }

  private static void pieces(HttpRequest request, HttpResponse response) {
    RequestBody body = request.body();
    ResponseStream out = response.stream();
    body.forEach(
        Listeners.of(
            data -> {
              out.write(data);
              if (!out.isWritable()) {
                body.pause();
                out.onWritable(body::resume);
              }
            },
            () -> out.end()));
  }
}
