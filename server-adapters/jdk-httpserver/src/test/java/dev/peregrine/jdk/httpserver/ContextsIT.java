package dev.peregrine.jdk.httpserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which context serves a request, by its target as it is on the wire. */
@Timeout(60)
class ContextsIT {
  private static final HttpHandler DESCRIBES =
      exchange ->
          TestServer.answer(
              exchange,
              200,
              exchange.getHttpContext().getPath() + " " + exchange.getRequestURI().toString());

  private final TestServer server;

  ContextsIT() throws IOException {
    server = TestServer.bound();
  }

  @BeforeEach
  void start() {
    server.http.createContext("/shop", DESCRIBES);
    server.http.createContext("/shop/cart/", DESCRIBES);
    server.http.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "/shop,                       /shop",
    "/shopping,                   /shop",
    "/shop/cart,                  /shop",
    "/shop/cart/,                 /shop/cart/",
    "/shop/cart/1?a=%2F&b,        /shop/cart/",
    "/shop?/cart/,                /shop",
    "/sh%6Fp/%63art/1,            /shop/cart/",
    "/shop%2Fcart%2F,             /shop/cart/",
    "/shop/cart/../x,             /shop/cart/",
    "/shop/x/../cart/,            /shop",
    "/shop/./cart/,               /shop",
    "/shop/%00%5C%3F%23,          /shop",
    "/shop/;v=1,                  /shop",
    "/shop/%C3%BC,                /shop",
    "http://a/shop/cart/1,        /shop/cart/",
    "http://a:80/shop?q,          /shop",
  })
  void servesATargetAsItIs(String target, String context) throws IOException {
    assertThat(server.get(target).content()).isEqualTo(context + " " + target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/sho", "/Shop", "/../shop", "//shop", "http://a", "http://a/"})
  void answers404WithoutAContext(String target) throws IOException {
    assertThat(server.get(target).status()).isEqualTo(404);
  }

  @Test
  void hasNoContextForTheWholeServerOrForTunnels() throws IOException {
    server.http.createContext("/", DESCRIBES);
    try (RawClient options = server.connect().request("OPTIONS", "*");
        RawClient connect =
            server.connect().send("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n")) {
      assertThat(options.receive().status()).isEqualTo(404);
      assertThat(connect.receive().status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/shop/%", "/shop/%zz", "/shop/{id}", "/shop/a|b", "/shop?\"", "/shop\\"})
  void answers400IfTheTargetIsNoUri(String target) throws IOException {
    assertThat(server.get(target).status()).isEqualTo(400);
  }

  @Test
  void givesUnknownMethodsToTheHandler() throws IOException {
    try (RawClient client = server.connect().request("BREW", "/shop")) {
      assertThat(client.receive().content()).isEqualTo("/shop /shop");
    }
  }

  @Test
  void answers500UntilAHandlerIsSet() throws IOException {
    HttpContext context = server.http.createContext("/later");
    assertThat(server.get("/later").status()).isEqualTo(500);

    context.setHandler(DESCRIBES);

    assertThat(server.get("/later").status()).isEqualTo(200);
  }

  @Test
  void answers404OnceAContextIsRemoved() throws IOException {
    try (RawClient client = server.connect()) {
      assertThat(client.request("GET", "/shop").receive().status()).isEqualTo(200);

      server.http.removeContext("/shop");

      assertThat(client.request("GET", "/shop").receive().status()).isEqualTo(404);
    }
  }
}
