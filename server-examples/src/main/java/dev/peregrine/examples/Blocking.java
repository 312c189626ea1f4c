package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/**
 * Streams on a virtual thread, where a handler may block: compresses the request's content. Try
 * {@code curl --data-binary @FILE http://127.0.0.1:8080/ | gunzip}.
 */
public final class Blocking {
  private Blocking() {}

  static HttpServer start(int port) {
    return Peregrine.builder().port(port).handler(Handlers.blocking(Blocking::compress)).start();
  }

  private static void compress(Request request, Response response) throws IOException {
    response.header("Content-Type", "application/gzip");
    try (GZIPOutputStream out = new GZIPOutputStream(response.outputStream())) {
      request.body().inputStream().transferTo(out);
    }
  }

  public static void main(String[] args) {
    start(8080);
  }
}
