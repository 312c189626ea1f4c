package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an exchange tells, its attributes and streams, and the order of responses. */
@Timeout(60)
class ExchangeIT {
  private static final HttpHandler ECHO =
      exchange -> {
        byte[] content = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
        exchange.close();
      };

  private static String describe(HttpExchange exchange) {
    return String.join(
        " ",
        exchange.getRequestMethod(),
        exchange.getRequestURI().toString(),
        exchange.getProtocol(),
        exchange.getHttpContext().getPath(),
        String.valueOf(exchange.getPrincipal()),
        exchange.getRequestHeaders().getFirst("Host"),
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        Integer.toString(exchange.getRemoteAddress().getPort()),
        Integer.toString(exchange.getLocalAddress().getPort()));
  }

  @Test
  void canBeReadAfterItsEnd() throws IOException {
    CompletableFuture<HttpExchange> kept = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.setAttribute("key", "value");
          exchange.sendResponseHeaders(202, -1);
          kept.complete(exchange);
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      assertThat(client.request("GET", "/a?b", "X-Own: 1").receive().status()).isEqualTo(202);
      assertThat(client.request("GET", "/c", "X-Own: 2").receive().status()).isEqualTo(202);

      HttpExchange exchange = await(kept);
      assertThat(describe(exchange))
          .isEqualTo(
              "GET /a?b HTTP/1.1 / null a 127.0.0.1 %d %d", client.localPort(), server.port());
      assertThat(exchange.getResponseCode()).isEqualTo(202);
      assertThat(exchange.getRequestHeaders().get("X-Own")).containsExactly("1");
      assertThat(exchange.getResponseHeaders()).containsEntry("Content-length", List.of("0"));
      assertThat(exchange.getAttribute("key")).isEqualTo("value");
    }
  }

  @Test
  void tellsTheVersionOfOldRequestsAndNoStatusBeforeTheHead() throws IOException {
    HttpHandler handler =
        exchange ->
            TestServer.answer(
                exchange, 200, exchange.getProtocol() + " " + exchange.getResponseCode());
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().send("GET / HTTP/1.0\r\n\r\n")) {
      assertThat(client.receive().content()).isEqualTo("HTTP/1.0 -1");
    }
  }

  @Test
  void returnsTheSameObjectsEachTime() throws IOException {
    CompletableFuture<Boolean> same = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          List<Object> once = objects(exchange);
          List<Object> twice = objects(exchange);
          exchange.sendResponseHeaders(200, -1);
          for (List<Object> others : List.of(twice, objects(exchange))) {
            for (int i = 0; i < once.size(); i++) {
              assertThat(others.get(i)).isSameAs(once.get(i));
            }
          }
          same.complete(true);
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").status()).isEqualTo(200);
      assertThat(await(same)).isTrue();
    }
  }

  private static List<Object> objects(HttpExchange exchange) {
    return List.of(
        exchange.getRequestBody(),
        exchange.getResponseBody(),
        exchange.getRequestHeaders(),
        exchange.getResponseHeaders(),
        exchange.getRequestURI(),
        exchange.getHttpContext());
  }

  @Test
  void hasAttributesOfItsOwn() throws IOException {
    HttpHandler handler =
        exchange -> {
          Object before = exchange.getAttribute("key");
          exchange.setAttribute("key", "own");
          Object between = exchange.getAttribute("key");
          exchange.setAttribute("key", null);
          Object after = exchange.getAttribute("key");
          assertThatThrownBy(() -> exchange.getAttribute(null))
              .isInstanceOf(NullPointerException.class);
          exchange.setAttribute("left", "over");
          TestServer.answer(exchange, 200, before + " " + between + " " + after);
        };
    try (TestServer server = TestServer.bound()) {
      var context = server.http.createContext("/", handler);
      context.getAttributes().put("key", "the context's");
      server.http.start();

      assertThat(server.get("/").content()).isEqualTo("null own null");
      assertThat(context.getAttributes()).containsOnlyKeys("key");
    }
  }

  @Test
  void answersPipelinedRequestsInTheirOrderAndOneAtATime() throws IOException {
    List<String> events = new CopyOnWriteArrayList<>();
    HttpHandler handler =
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          events.add("begin " + path);
          String content = new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1);
          events.add("end " + path);
          TestServer.answer(exchange, 200, path + content);
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      StringBuilder requests = new StringBuilder();
      for (int i = 0; i < 4; i++) {
        requests.append("POST /").append(i).append(" HTTP/1.1\r\nHost: a\r\n");
        requests.append("Content-Length: 3\r\n\r\nabc\r\n"); // and an empty line too many
      }
      client.send(requests.toString());
      for (int i = 0; i < 4; i++) {
        assertThat(client.receive().content()).isEqualTo("/" + i + "abc");
      }
      assertThat(events.subList(0, 4)).containsExactly("begin /0", "end /0", "begin /1", "end /1");
    }
  }

  private static final class NotingInput extends FilterInputStream {
    private final List<String> noted;

    NotingInput(InputStream source, List<String> noted) {
      super(source);
      this.noted = noted;
    }

    @Override
    public void close() throws IOException {
      noted.add("input closed");
      super.close();
    }
  }

  private static final class NotingOutput extends FilterOutputStream {
    private final List<String> noted;

    NotingOutput(OutputStream target, List<String> noted) {
      super(target);
      this.noted = noted;
    }

    @Override
    public void write(int b) throws IOException {
      super.write(Character.toUpperCase((char) b));
    }

    @Override
    public void close() throws IOException {
      noted.add("output closed");
      super.close();
    }
  }

  @Test
  void closesTheStreamsThatFiltersHaveSet() throws IOException {
    List<String> noted = new CopyOnWriteArrayList<>();
    HttpHandler handler =
        exchange -> {
          OutputStream own = exchange.getResponseBody();
          exchange.setStreams(new NotingInput(exchange.getRequestBody(), noted), null);
          assertThat(exchange.getResponseBody()).isSameAs(own);
          exchange.setStreams(null, new NotingOutput(own, noted));
          assertThat(exchange.getRequestBody()).isInstanceOf(NotingInput.class);
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("loud".getBytes(ISO_8859_1));
          exchange.close();
          exchange.close();
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").content()).isEqualTo("LOUD");
      assertThat(noted).containsExactlyInAnyOrder("input closed", "output closed");
    }
  }

  @Test
  void cutsTheResponseIfAStreamOfAFilterCannotBeClosed() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.setStreams(null, new Unclosable(exchange.getResponseBody()));
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write('x');
          exchange.getResponseBody().flush();
          exchange.close();
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.receiveHead().status()).isEqualTo(200);
      assertThat(client.receiveToEndOrReset()).doesNotEndWith("0\r\n\r\n");
    }
  }

  private static final class Unclosable extends FilterOutputStream {
    Unclosable(OutputStream target) {
      super(target);
    }

    @Override
    public void close() throws IOException {
      throw new IOException("on purpose");
    }
  }

  @Test
  void keepsConnectionsOverManyExchanges() throws IOException {
    try (TestServer server = TestServer.start(ECHO);
        RawClient client = server.connect()) {
      for (int i = 0; i < 500; i++) {
        assertThat(client.post("/", "number " + i).receive().content()).isEqualTo("number " + i);
      }
    }
  }
}
