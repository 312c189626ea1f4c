package dev.peregrine.examples;

import dev.peregrine.cli.options.ServerOptions;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.HttpServer;

/**
 * The server of a conformance test: sends 200 to any method on any path once it has read the whole
 * content, and POST and PUT with that content. Takes the options of the fat jar.
 */
public final class ConformanceTarget {
  private static final int CONTENT_BYTES_MAX = 64 * 1024 * 1024;

  private ConformanceTarget() {}

  static HttpServer start(String... args) {
    return ServerOptions.parse(args).builder().handler(ConformanceTarget::handle).start();
  }

  private static void handle(Request request, Response response) {
    HttpMethod method = request.method();
    boolean echo = method == HttpMethod.POST || method == HttpMethod.PUT;
    request
        .body()
        .receiveAll(
            CONTENT_BYTES_MAX,
            content -> {
              if (echo) {
                response.contentType(ContentType.APPLICATION_OCTET_STREAM).send(content);
              } else {
                response.text("ok\n");
              }
            });
  }

  public static void main(String[] args) {
    HttpServer server = start(args);
    System.out.println("Conformance target on port " + server.port() + ", " + server.scanner());
  }
}
