package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handlers that throw, and those that end without a response. */
@Timeout(60)
class FailuresIT {
  /** What a handler throws. */
  enum Failure {
    IO_EXCEPTION,
    RUNTIME_EXCEPTION,
    ASSERTION_ERROR,
    STACK_OVERFLOW;

    void fail() throws IOException {
      switch (this) {
        case IO_EXCEPTION -> throw new IOException("on purpose");
        case RUNTIME_EXCEPTION -> throw new IllegalStateException("on purpose");
        case ASSERTION_ERROR -> throw new AssertionError("on purpose");
        case STACK_OVERFLOW -> throw new StackOverflowError("on purpose");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void answers500IfAHandlerThrowsBeforeItsResponse(Failure failure) throws IOException {
    try (TestServer server = TestServer.start(exchange -> failure.fail());
        RawClient client = server.connect()) {
      Answer answer = client.request("GET", "/").receive();

      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.content()).doesNotContain("on purpose");
      assertThat(server.get("/").status()).isEqualTo(500); // the server lives on
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsAResponseThatWasCompleteAndKeepsTheConnection(Failure failure) throws IOException {
    HttpHandler handler =
        exchange -> {
          TestServer.answer(exchange, 200, "port " + exchange.getRemoteAddress().getPort());
          failure.fail();
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      String first = client.request("GET", "/").receive().content();

      assertThat(first).isEqualTo("port " + client.localPort());
      assertThat(client.request("GET", "/").receive().content()).isEqualTo(first);
    }
  }

  @Test
  void keepsTheConnectionAfterAFailureWithoutContent() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(202, -1);
          exchange.close();
          throw new IOException("on purpose");
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      assertThat(client.request("GET", "/").receive().status()).isEqualTo(202);
      assertThat(client.request("GET", "/").receive().status()).isEqualTo(202);
    }
  }

  /** Returns what a client receives if the handler throws within content. */
  private static String receivedOfCut(long length, boolean closes) throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, length);
          OutputStream out = exchange.getResponseBody();
          out.write("begin".getBytes(ISO_8859_1));
          out.flush();
          if (closes) {
            try (out) {
              throw new IOException("on purpose");
            }
          }
          throw new IOException("on purpose");
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/")) {
      assertThat(client.receiveHead().status()).isEqualTo(200);
      return client.receiveToEndOrReset();
    }
  }

  @Test
  void cutsContentOfADeclaredLengthSoThatTheClientSeesIt() throws IOException {
    assertThat(receivedOfCut(100, false)).isSubstringOf("begin");
    assertThat(receivedOfCut(100, true)).isSubstringOf("begin");
    assertThat(receivedOfCut(100_000, false)).isSubstringOf("begin");
  }

  @Test
  void cutsContentOfAnUnknownLengthSoThatTheClientSeesIt() throws IOException {
    assertThat(receivedOfCut(0, false)).isSubstringOf("5\r\nbegin\r\n");
  }

  @Test
  void answers500IfAHandlerThrowsBeforeItsContentHasLeft() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write("begin".getBytes(ISO_8859_1));
          throw new IOException("on purpose");
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").status()).isEqualTo(500);
    }
  }

  @Test
  void answers500IfTheExchangeIsClosedWithoutAResponse() throws IOException {
    try (TestServer server = TestServer.start(HttpExchange::close)) {
      assertThat(server.get("/").status()).isEqualTo(500);
    }
  }

  @Test
  void answers500IfAHandlerClosesTheExchangeAndThrows() throws IOException {
    HttpHandler handler =
        exchange -> {
          try (exchange) {
            throw new IOException("on purpose");
          }
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").status()).isEqualTo(500);
    }
  }

  @Test
  void refusesASecondResponse() throws IOException {
    CompletableFuture<Throwable> second = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          try {
            exchange.sendResponseHeaders(500, -1);
          } catch (IOException failure) {
            second.complete(failure);
          }
          exchange.getResponseBody().write("ok".getBytes(ISO_8859_1));
          exchange.close();
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").content()).isEqualTo("ok");
      assertThat(await(second)).isInstanceOf(IOException.class).hasMessageContaining("already");
    }
  }

  @Test
  void completesAResponseAfterItsHandlerOnAnotherThread() throws IOException {
    CompletableFuture<HttpExchange> kept = new CompletableFuture<>();
    try (TestServer server = TestServer.start(kept::complete);
        RawClient client = server.connect().request("GET", "/")) {
      HttpExchange exchange = await(kept);
      try (var later = Executors.newSingleThreadExecutor()) {
        assertThat(await(later.submit(() -> sendLater(exchange)))).isTrue();
      }

      assertThat(client.receive().content()).isEqualTo("later");
    }
  }

  private static boolean sendLater(HttpExchange exchange) throws IOException {
    TestServer.answer(exchange, 200, "later");
    return true;
  }

  @Test
  void goesOnWithAResponseThatItsHandlerHasBegun() throws IOException {
    CompletableFuture<HttpExchange> kept = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          kept.complete(exchange);
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/")) {
      OutputStream out = await(kept).getResponseBody();
      out.write("event".getBytes(ISO_8859_1));
      out.flush();
      client.receiveHead();
      assertThat(client.receive(10)).isEqualTo("5\r\nevent\r\n");

      out.close();

      assertThat(client.receive(5)).isEqualTo("0\r\n\r\n");
    }
  }
}
