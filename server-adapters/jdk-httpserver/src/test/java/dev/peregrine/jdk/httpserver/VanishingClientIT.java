package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that vanish while a handler reads or writes: the handler gets an IOException. */
@Timeout(60)
class VanishingClientIT {
  private final CompletableFuture<String> began = new CompletableFuture<>();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  /** What a handler does until it fails. */
  private interface Work {
    void run(HttpExchange exchange) throws IOException;
  }

  private HttpHandler noting(Work work) {
    return exchange -> {
      try {
        work.run(exchange);
        failure.complete(new AssertionError("nothing was thrown"));
      } catch (Throwable noted) {
        failure.complete(noted);
        throw noted;
      }
    };
  }

  private void readAll(HttpExchange exchange) throws IOException {
    int first = exchange.getRequestBody().read();
    began.complete("read " + first);
    exchange.getRequestBody().readAllBytes();
  }

  private void writeForever(HttpExchange exchange, long length) throws IOException {
    exchange.sendResponseHeaders(200, length);
    OutputStream out = exchange.getResponseBody();
    byte[] piece = new byte[16 * 1024];
    while (true) {
      out.write(piece);
      out.flush();
      began.complete("wrote");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 100000", "Transfer-Encoding: chunked"})
  void failsTheReadIfTheClientIsReset(String framing) throws IOException {
    try (TestServer server = TestServer.start(noting(this::readAll));
        RawClient client = server.connect()) {
      client.request("POST", "/", framing).send("9\r\nbeginning\r\n");
      await(began);

      client.reset();

      assertThat(await(failure)).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 100000", "Transfer-Encoding: chunked"})
  void failsTheReadIfTheContentIsCutShort(String framing) throws IOException {
    try (TestServer server = TestServer.start(noting(this::readAll));
        RawClient client = server.connect()) {
      client.request("POST", "/", framing).send("9\r\nbeginning\r\n");
      await(began);

      client.endOutput();

      assertThat(await(failure)).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE})
  void failsTheWriteIfTheClientIsReset(long length) throws IOException {
    try (TestServer server = TestServer.start(noting(exchange -> writeForever(exchange, length)));
        RawClient client = server.connect().request("GET", "/")) {
      await(began);

      client.reset();

      assertThat(await(failure)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void failsTheResponseIfTheClientIsGoneBefore() throws IOException {
    HttpHandler handler =
        noting(
            exchange -> {
              began.complete("");
              while (true) { // until the loop has noticed
                exchange.sendResponseHeaders(103, -1);
              }
            });
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/")) {
      await(began);

      client.reset();

      assertThat(await(failure)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void failsAStreamOfEventsIfTheClientIsGone() throws IOException {
    HttpHandler handler =
        noting(
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              OutputStream out = exchange.getResponseBody();
              while (true) {
                out.write('x');
                out.flush();
                began.complete("");
              }
            });
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/")) {
      await(began);

      client.reset();

      assertThat(await(failure)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void goesOnForAClientThatOnlyEndsItsSide() throws IOException {
    CompletableFuture<String> released = new CompletableFuture<>();
    HttpHandler handler = exchange -> TestServer.answer(exchange, 200, await(released));
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/")) {
      client.endOutput();
      released.complete("whole");

      assertThat(client.receive().content()).isEqualTo("whole");
    }
  }
}
