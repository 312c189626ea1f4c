package dev.peregrine.examples;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServerBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The routes of the fat jar's command {@code hello}. Finding the route allocates nothing. */
public final class Routes implements Handler {
  private static final String FILES = "/files/";
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  /** The page, read from the jar for its first request. */
  private static final class Page {
    static final byte[] HTML = resource("index.html");

    private Page() {}
  }

  private final @Nullable Handler files;
  private final Handler liveness;
  private final Handler readiness;

  /**
   * The routes.
   *
   * @param directory whose files are served; null for none
   * @param health of the server
   */
  private Routes(@Nullable Path directory, Health health) {
    liveness = health.liveness();
    readiness = health.readiness();
    files =
        directory == null
            ? null
            : Compression.of(StaticFiles.builder(directory).prefix(FILES).build());
  }

  /**
   * Has a server serve the routes.
   *
   * @param directory a directory whose files are served below {@code /files/}; null for none
   * @param health of the server
   * @throws UncheckedIOException if it isn't a directory
   */
  public static void install(HttpServerBuilder builder, @Nullable Path directory, Health health) {
    builder.handler(new Routes(directory, health)).json(new AvajeJson());
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/plaintext")) {
      plaintext(request, response);
    } else if (request.pathIs("/json")) {
      json(request, response);
    } else if (request.pathIs("/echo")) {
      echo(request, response);
    } else if (request.pathIs("/")) {
      page(request, response);
    } else if (request.pathIs("/livez")) {
      get(liveness, request, response);
    } else if (request.pathIs("/readyz")) {
      get(readiness, request, response);
    } else if (files != null && request.path().startsWith(FILES)) {
      files.handle(request, response);
    } else {
      response.status(HttpStatus.NOT_FOUND).text("Nothing is here. GET / lists the routes.\n");
    }
  }

  private static void get(Handler handler, Request request, Response response) throws Exception {
    if (isGet(request, response)) {
      handler.handle(request, response);
    }
  }

  private static void plaintext(Request request, Response response) {
    if (isGet(request, response)) {
      response.contentType(ContentType.TEXT_PLAIN).send(HELLO);
    }
  }

  private static void json(Request request, Response response) {
    if (isGet(request, response)) {
      response.json(new Message("Hello, World!"));
    }
  }

  private static void page(Request request, Response response) {
    if (isGet(request, response)) {
      response.contentType(ContentType.TEXT_HTML_UTF_8).send(Page.HTML);
    }
  }

  private static void echo(Request request, Response response) throws Exception {
    if (request.method() == HttpMethod.POST) {
      Echo.handle(request, response);
    } else {
      notAllowed("POST", response);
    }
  }

  /** Returns true for GET and HEAD; answers all other methods. */
  private static boolean isGet(Request request, Response response) {
    HttpMethod method = request.method();
    if (method == HttpMethod.GET || method == HttpMethod.HEAD) {
      return true;
    }
    notAllowed("GET, HEAD", response);
    return false;
  }

  private static void notAllowed(String methods, Response response) {
    response.status(HttpStatus.METHOD_NOT_ALLOWED).header("Allow", methods);
    response.text("This takes " + methods + " only.\n");
  }

  private static byte[] resource(String name) {
    try (InputStream in = Routes.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
