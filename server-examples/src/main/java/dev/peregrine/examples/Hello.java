package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;

/** The smallest possible server. Try {@code curl -i http://127.0.0.1:8080/}. */
public final class Hello {
  private Hello() {}

  static HttpServer start(int port) {
    return Peregrine.builder()
        .port(port)
        .handler((request, response) -> response.text("Hello\n"))
        .start();
  }

  public static void main(String[] args) {
    start(8080);
  }
}
