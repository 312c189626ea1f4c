package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Negotiation;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.SetCookie;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.testing.TestRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Routes, JSON, parameters and codings, as docs/guide shows them. See {@link GuideTextTest}. */
class GuideRequestsTest extends GuideCase {
  @Test
  void routes() throws Exception {
    Routes admin =
        Routes.builder().get("/", (request, response) -> response.text("admin\n")).build();
    // snippet: routes
    Routes routes =
        Routes.builder()
            .get("/", (request, response) -> response.html("<h1>Home</h1>"))
            .get("/users/{id}", (request, response) -> response.text(request.pathParameter("id")))
            .delete("/users/{id}", (request, response) -> response.status(204).send())
            .get("/tree/*", (request, response) -> response.text(request.pathParameter("*")))
            .mount("/admin", admin)
            .build();
    // end
    Client client = serve(routes);

    assertThat(client.get("/").body()).isEqualTo("<h1>Home</h1>");
    assertThat(client.get("/users/M%C3%BCller").body()).isEqualTo("Müller");
    assertThat(client.get("/tree/a/b").body()).isEqualTo("a/b");
    assertThat(client.get("/admin").body()).isEqualTo("admin\n");
    assertThat(client.get("/nothing").statusCode()).isEqualTo(404);
    java.net.http.HttpResponse<String> refused = client.post("/users/7", "");
    assertThat(refused.statusCode()).isEqualTo(405);
    assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD, DELETE, OPTIONS");
  }

  @Test
  void servesSeveralHosts() throws Exception {
    Handler api = (request, response) -> response.text("api");
    Handler tenants = (request, response) -> response.text("tenant " + request.host());
    Handler site = (request, response) -> response.text("site");
    // snippet: hosts
    Handler all =
        Routes.host("api.example.org", api)
            .host("*.example.org", tenants) // every other name below example.org
            .otherwise(site)
            .build();
    // end

    assertThat(ask("api.example.org", all)).isEqualTo("api");
    assertThat(ask("a.example.org", all)).isEqualTo("tenant a.example.org");
    assertThat(ask("other.example", all)).isEqualTo("site");
  }

  private static String ask(String host, Handler handler) throws InterruptedException {
    return TestRequest.get("/").header("Host", host).send(handler).text();
  }

  @Test
  void servesJson() throws Exception {
    // snippet: json
    Routes routes =
        Routes.builder()
            .get("/message", (request, response) -> response.json(new Message("Hello")))
            .post(
                "/message",
                (request, response) ->
                    request.receiveJson(
                        64 * 1024,
                        Message.class,
                        message -> response.status(201).json(new Message(message.message() + "!"))))
            .build();
    HttpServer server = Peregrine.builder().port(0).json(new AvajeJson()).handler(routes).start();
    // end
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/message").body()).isEqualTo("{\"message\":\"Hello\"}");
    assertThat(client.postJson("/message", "{\"message\":\"Hi\"}").body())
        .isEqualTo("{\"message\":\"Hi!\"}");
    assertThat(client.postJson("/message", "{").statusCode()).isEqualTo(400);
    assertThat(client.post("/message", "{}").statusCode()).isEqualTo(415);
  }

  @Test
  void readsParametersFormsAndCookies() throws Exception {
    // snippet: conveniences
    Handler search =
        (request, response) -> {
          String words = request.queryParameter("q"); // decoded; null if it is absent
          if (words == null) {
            throw new HttpException(400, "what shall be searched for?");
          }
          response.setCookie(SetCookie.of("last", "7").path("/").httpOnly());
          response.text(words + " " + request.cookie("last"));
        };
    Handler login =
        (request, response) ->
            request.receiveForm(
                10_000, (Parameters form) -> response.redirect("/users/" + form.first("name")));
    Handler greeting =
        (request, response) -> {
          String language = Negotiation.language(request, "en", "de");
          response.addHeader("Vary", "Accept-Language");
          response.text("de".equals(language) ? "Hallo" : "Hello");
        };
    // end
    Client client =
        serve(
            Routes.builder()
                .get("/search", search)
                .post("/login", login)
                .get("/greeting", greeting)
                .build());

    java.net.http.HttpResponse<String> found = client.get("/search?q=a+b%26c");
    assertThat(found.body()).isEqualTo("a b&c null");
    assertThat(found.headers().firstValue("Set-Cookie")).contains("last=7; Path=/; HttpOnly");
    java.net.http.HttpResponse<String> wrong = client.get("/search");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).isEqualTo("what shall be searched for?\n");
    java.net.http.HttpResponse<String> redirected =
        client.post("/login", "application/x-www-form-urlencoded", "name=ada");
    assertThat(redirected.statusCode()).isEqualTo(302);
    assertThat(redirected.headers().firstValue("Location")).contains("/users/ada");
    assertThat(client.get("/greeting").body()).isEqualTo("Hello");
  }

  @Test
  void compresses() throws Exception {
    Handler handler = (request, response) -> request.receiveForm(10_000, form -> response.send());
    // snippet: compression
    Handler compressed = Compression.of(handler);
    Handler both = Decompression.builder(compressed).bytesMax(1_000_000).build();
    // end
    // snippet: codings
    Handler smaller =
        Compression.builder(handler).codings(ContentCoding.gzip(6)).bytesMin(4096).build();
    // end

    for (Handler answering : List.of(both, smaller)) {
      Client client = serve(answering);
      assertThat(client.post("/", "application/x-www-form-urlencoded", "a=b").statusCode())
          .isEqualTo(200);
    }
  }
}
