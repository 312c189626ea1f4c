package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses before the response: 100 (Continue), 103 (Early Hints). */
@Timeout(60)
class InterimIT {
  private static final HttpHandler ECHO =
      exchange -> {
        byte[] content = exchange.getRequestBody().readAllBytes();
        TestServer.answer(exchange, 200, new String(content, ISO_8859_1));
      };

  private static RawClient expecting(TestServer server) throws IOException {
    return server.connect().request("POST", "/", "Content-Length: 3", "Expect: 100-continue");
  }

  @Test
  void asksForTheContentWhenItIsRead() throws IOException {
    try (TestServer server = TestServer.start(ECHO);
        RawClient client = expecting(server)) {
      assertThat(client.receive().status()).isEqualTo(100);

      client.send("abc");

      assertThat(client.receive().content()).isEqualTo("abc");
    }
  }

  @Test
  void doesNotAskForContentThatIsNotRead() throws IOException {
    HttpHandler refusing =
        exchange -> {
          exchange.getRequestBody().close();
          exchange.sendResponseHeaders(403, -1);
        };
    try (TestServer server = TestServer.start(refusing);
        RawClient client = expecting(server)) {
      assertThat(client.receive().status()).isEqualTo(403);
    }
  }

  @Test
  void leaves100ToTheServer() throws IOException {
    HttpHandler explicit =
        exchange -> {
          exchange.sendResponseHeaders(100, -1);
          ECHO.handle(exchange);
        };
    try (TestServer server = TestServer.start(explicit);
        RawClient client = expecting(server)) {
      assertThat(client.receive().status()).isEqualTo(100);
      client.send("abc");
      assertThat(client.receive().content()).isEqualTo("abc");

      client.post("/", "def"); // expects nothing
      assertThat(client.receive().content()).isEqualTo("def");
    }
  }

  @Test
  void sendsHintsBeforeTheResponse() throws IOException {
    CompletableFuture<String> received = new CompletableFuture<>();
    HttpHandler hinting =
        exchange -> {
          exchange.getResponseHeaders().set("Link", "</style.css>; rel=preload");
          exchange.sendResponseHeaders(103, -1);
          await(received);
          exchange.sendResponseHeaders(103, -1);
          exchange.getResponseHeaders().remove("Link");
          TestServer.answer(exchange, 200, Integer.toString(exchange.getResponseCode()));
        };
    try (TestServer server = TestServer.start(hinting);
        RawClient client = server.connect().request("GET", "/")) {
      Answer hint = client.receive();
      assertThat(hint.status()).isEqualTo(103);
      assertThat(hint.values("Link")).containsExactly("</style.css>; rel=preload");
      assertThat(hint.values("Content-Length")).isEmpty();
      received.complete("");

      assertThat(client.receive().status()).isEqualTo(103);
      Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.values("Link")).isEmpty();
    }
  }

  @Test
  void sendsNoHintsToAnOldClient() throws IOException {
    HttpHandler hinting =
        exchange -> {
          exchange.sendResponseHeaders(103, -1);
          TestServer.answer(exchange, 200, "answer");
        };
    try (TestServer server = TestServer.start(hinting);
        RawClient client = server.connect().send("GET / HTTP/1.0\r\n\r\n")) {
      assertThat(client.receive().content()).isEqualTo("answer");
    }
  }
}
