package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.answering;
import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.BasicAuthenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Filters and authenticators around a handler. */
@Timeout(60)
class FiltersIT {
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final TestServer server;
  private final HttpContext context;

  FiltersIT() throws IOException {
    server = TestServer.bound();
    context = server.http.createContext("/", this::handle);
  }

  private void handle(HttpExchange exchange) throws IOException {
    events.add("handler");
    HttpPrincipal principal = exchange.getPrincipal();
    String name = principal == null ? "nobody" : principal.getUsername();
    TestServer.answer(exchange, 200, "for " + name);
  }

  @BeforeEach
  void start() {
    server.http.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Filter noting(String name) {
    return new Filter() {
      @Override
      public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        events.add("before " + name);
        chain.doFilter(exchange);
        events.add("after " + name);
      }

      @Override
      public String description() {
        return name;
      }
    };
  }

  /** An authenticator with one result for all. */
  private Authenticator resulting(Authenticator.@Nullable Result result) {
    return new Authenticator() {
      @Override
      @SuppressWarnings("NullAway") // a result of null is what a test is about
      public Result authenticate(HttpExchange exchange) {
        events.add("authenticator");
        exchange.getResponseHeaders().set("WWW-Authenticate", "Own");
        return result;
      }
    };
  }

  @Test
  void runsFiltersInTheirOrderThenTheAuthenticatorThenTheHandler() throws IOException {
    CompletableFuture<String> ended = new CompletableFuture<>();
    context.getFilters().add(Filter.afterHandler("end", exchange -> ended.complete("")));
    context.getFilters().addAll(List.of(noting("1"), noting("2")));
    context.setAuthenticator(resulting(new Authenticator.Success(new HttpPrincipal("me", "all"))));

    assertThat(server.get("/").content()).isEqualTo("for me");
    await(ended);
    assertThat(events)
        .containsExactly("before 1", "before 2", "authenticator", "handler", "after 2", "after 1");
  }

  @Test
  void hasNoPrincipalWithoutAnAuthenticator() throws IOException {
    assertThat(server.get("/").content()).isEqualTo("for nobody");
  }

  @Test
  void letsAFilterAnswerByItself() throws IOException {
    context
        .getFilters()
        .add(
            new Filter() {
              @Override
              public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
                TestServer.answer(exchange, 403, "filtered");
              }

              @Override
              public String description() {
                return "answers";
              }
            });

    assertThat(server.get("/").content()).isEqualTo("filtered");
    assertThat(events).isEmpty();
  }

  private static void accept(HttpExchange exchange, String text) {
    try {
      TestServer.answer(exchange, 202, text);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void letsAFilterAnswerBeforeAndAfterAHandlerThatDoesNothing() throws IOException {
    HttpContext silent = server.http.createContext("/silent", exchange -> events.add("silent"));
    Filter answering = Filter.afterHandler("answers", one -> accept(one, "after"));
    silent.getFilters().add(answering);
    assertThat(server.get("/silent").content()).isEqualTo("after");

    silent.getFilters().remove(answering);
    silent.getFilters().add(Filter.beforeHandler("answers", one -> accept(one, "before")));

    assertThat(server.get("/silent").content()).isEqualTo("before");
  }

  @Test
  void showsTheFinishedExchangeToAFilterAfterTheHandler() throws IOException {
    CompletableFuture<String> seen = new CompletableFuture<>();
    context
        .getFilters()
        .add(
            Filter.afterHandler(
                "logs",
                exchange ->
                    seen.complete(
                        exchange.getResponseCode()
                            + " "
                            + exchange.getResponseHeaders().getFirst("Content-length"))));

    assertThat(server.get("/").status()).isEqualTo(200);
    assertThat(await(seen)).isEqualTo("200 10");
  }

  @Test
  void passesOnTheExchangeThatAFilterAdapts() throws IOException {
    HttpContext echo =
        server.http.createContext(
            "/adapted",
            exchange ->
                TestServer.answer(
                    exchange,
                    200,
                    exchange.getRequestHeaders().getFirst("X-Added")
                        + exchange.getRequestURI()
                        + exchange.getHttpContext().getPath()));
    echo.getFilters()
        .add(Filter.adaptRequest("adds", (Request one) -> one.with("X-Added", List.of("yes"))));

    assertThat(server.get("/adapted?q").content()).isEqualTo("yes/adapted?q/adapted");
  }

  @Test
  void answers500IfAFilterThrowsBeforeTheResponse() throws IOException {
    context
        .getFilters()
        .add(
            Filter.beforeHandler(
                "fails",
                exchange -> {
                  throw new IllegalStateException("on purpose");
                }));

    assertThat(server.get("/").status()).isEqualTo(500);
    assertThat(events).isEmpty();
  }

  private void answersWithout(Authenticator authenticator, int status) throws IOException {
    context.setAuthenticator(authenticator);
    try (RawClient client = server.connect()) {
      for (int i = 0; i < 2; i++) { // the content is read, so that the connection can go on
        Answer answer = client.post("/", "content".repeat(20_000)).receive();
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.values("Content-Length")).containsExactly("0");
        assertThat(answer.values("WWW-Authenticate")).containsExactly("Own");
      }
    }
    assertThat(events).containsOnly("authenticator");
  }

  @Test
  void sendsTheStatusOfAFailure() throws IOException {
    answersWithout(resulting(new Authenticator.Failure(403)), 403);
  }

  @Test
  void sendsTheStatusOfARetry() throws IOException {
    answersWithout(resulting(new Authenticator.Retry(401)), 401);
  }

  @Test
  void answers500IfAnAuthenticatorHasNoResult() throws IOException {
    context.setAuthenticator(resulting(null));

    assertThat(server.get("/").status()).isEqualTo(500);
    assertThat(events).containsExactly("authenticator");
  }

  @Test
  void answers500IfAnAuthenticatorThrows() throws IOException {
    context.setAuthenticator(
        new Authenticator() {
          @Override
          public Result authenticate(HttpExchange exchange) {
            throw new IllegalStateException("on purpose");
          }
        });

    assertThat(server.get("/").status()).isEqualTo(500);
    assertThat(events).isEmpty();
  }

  @Test
  void readsAuthenticatorsAndFiltersForEachExchange() throws IOException {
    assertThat(server.get("/").status()).isEqualTo(200);

    context.setAuthenticator(resulting(new Authenticator.Failure(403)));
    assertThat(server.get("/").status()).isEqualTo(403);

    context.setAuthenticator(null);
    assertThat(server.get("/").status()).isEqualTo(200);
  }

  private static String basic(String credentials) {
    byte[] bytes = credentials.getBytes(ISO_8859_1);
    return "authorization: basic " + Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void authenticatesByNameAndPassword() throws IOException {
    context.setAuthenticator(
        new BasicAuthenticator("r\u00e9alm", ISO_8859_1) {
          @Override
          public boolean checkCredentials(String user, String password) {
            return user.equals("m\u00fcller") && password.equals("secret");
          }
        });
    server.http.createContext("/open", answering("open"));
    try (RawClient client = server.connect()) {
      Answer none = client.request("GET", "/").receive();
      Answer wrong = client.request("GET", "/", basic("m\u00fcller:wrong")).receive();
      Answer right = client.request("GET", "/", basic("m\u00fcller:secret")).receive();

      assertThat(none.status()).isEqualTo(401);
      assertThat(none.values("WWW-Authenticate").getFirst()).contains("realm=\"r\u00e9alm\"");
      assertThat(wrong.status()).isEqualTo(401);
      assertThat(right.bytes()).asString().isEqualTo("for m\u00fcller");
      assertThat(client.request("GET", "/open").receive().status()).isEqualTo(200);
    }
    assertThat(events).containsExactly("handler");
  }
}
