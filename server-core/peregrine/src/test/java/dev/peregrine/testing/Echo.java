package dev.peregrine.testing;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The ways in which a handler can send the request's content back. */
public enum Echo {
  /** Collects the content, then sends it whole. */
  WHOLE,
  /** Sends each piece as it arrives, on the event loop. */
  PIECES,
  /** Copies between streams on a thread that blocks. */
  BLOCKING;

  public Handler handler() {
    return switch (this) {
      case WHOLE -> Echo::whole;
      case PIECES -> Echo::pieces;
      case BLOCKING -> Handlers.blocking(Echo::copy);
    };
  }

  private static void whole(Request request, Response response) {
    request.body().receiveAll(Integer.MAX_VALUE, response::send);
  }

  private static void copy(Request request, Response response) throws IOException {
    try (InputStream in = request.body().inputStream();
        OutputStream out = response.outputStream()) {
      in.transferTo(out);
    }
  }

  private static void pieces(Request request, Response response) {
    RequestBody body = request.body();
    ResponseStream out = response.stream();
    body.receive(
        Listeners.of(
            data -> {
              out.write(data);
              if (!out.isWritable()) {
                body.pause();
                out.onWritable(body::resume);
              }
            },
            () -> out.complete()));
  }
}
