package app;

import dev.peregrine.Peregrine;
import dev.peregrine.protocol.HttpMethod;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;

/** A program that embeds the server: prints its port, and ends with its input. */
public final class Main {
  private Main() {}

  private static void greet(Request request, Response response) {
    String name = request.pathParameter("name");
    response.text(request.method() == HttpMethod.GET ? "Hello, " + name : "");
  }

  public static void main(String[] args) throws Exception {
    Routes routes =
        Routes.builder()
            .get("/hello/{name}", Main::greet)
            .get("/module", (request, response) -> response.text(Main.class.getModule().toString()))
            .post(
                "/echo",
                Handlers.blocking(
                    (request, response) -> response.send(request.body().readAll(1_000))))
            .build();
    try (HttpServer server = Peregrine.builder().port(0).handler(routes).start()) {
      System.out.println(server.port());
      System.in.transferTo(System.err);
    }
  }
}
