package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that leave HTTP by 101 (Switching Protocols). */
@Timeout(60)
class SwitchProtocolIT {
  /** Serves the streams of a connection that has switched. */
  private interface Talk {
    String run(InputStream in, OutputStream out) throws IOException;
  }

  private final CompletableFuture<String> result = new CompletableFuture<>();

  private HttpHandler switching(Talk talk) {
    return exchange -> {
      exchange.getResponseHeaders().set("Upgrade", "raw");
      exchange.getResponseHeaders().set("Connection", "Upgrade");
      exchange.sendResponseHeaders(101, -1);
      try {
        result.complete(talk.run(exchange.getRequestBody(), exchange.getResponseBody()));
        exchange.close();
      } catch (IOException failure) {
        result.complete("IOException");
        throw failure;
      }
    };
  }

  private static RawClient upgrade(TestServer server) throws IOException {
    return server.connect().request("GET", "/", "Connection: Upgrade", "Upgrade: raw");
  }

  private static void receiveSwitch(RawClient client) throws IOException {
    Answer answer = client.receiveHead();
    assertThat(answer.status()).isEqualTo(101);
    assertThat(answer.values("Upgrade")).containsExactly("raw");
    assertThat(answer.values("Connection")).hasSize(1);
    assertThat(answer.values("Content-Length")).isEmpty();
    assertThat(answer.values("Transfer-Encoding")).isEmpty();
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(ISO_8859_1));
    out.flush();
  }

  @Test
  void talksInBothDirectionsUntilTheServerEnds() throws IOException {
    Talk talk =
        (in, out) -> {
          write(out, "welcome");
          String name = new String(in.readNBytes(4), ISO_8859_1);
          int more = in.read();
          write(out, "hello " + name + (char) more);
          out.write('!');
          return "done";
        };
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      assertThat(client.receive(7)).isEqualTo("welcome");

      client.send("name").send(new byte[] {(byte) '?'});

      assertThat(client.receiveToEnd()).isEqualTo("hello name?!");
    }
  }

  @Test
  void readsWhatFollowsTheRequestAtOnce() throws IOException {
    Talk talk = (in, out) -> new String(in.readNBytes(5), ISO_8859_1);
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = server.connect()) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: raw\r\n\r\nearly");
      receiveSwitch(client);

      assertThat(await(result)).isEqualTo("early");
      assertThat(client.receiveToEnd()).isEmpty();
    }
  }

  @Test
  void readsTheEndIfTheClientEnds() throws IOException {
    Talk talk =
        (in, out) -> {
          String all = new String(in.readAllBytes(), ISO_8859_1);
          write(out, "after " + in.read());
          return all;
        };
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      client.send("bye").endOutput();

      assertThat(client.receiveToEnd()).isEqualTo("after -1");
      assertThat(await(result)).isEqualTo("bye");
    }
  }

  @Test
  void carriesMuchInBothDirections() throws IOException {
    Talk echo =
        (in, out) -> {
          long count = in.transferTo(out);
          out.flush();
          return Long.toString(count);
        };
    int length = 4 << 20;
    String piece = "0123456789abcdef".repeat(1024);
    try (TestServer server = TestServer.start(switching(echo));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      CompletableFuture<String> received = new CompletableFuture<>();
      Thread ignored =
          Thread.ofPlatform().daemon().start(() -> received.complete(receiveAll(client)));
      for (int i = 0; i < length / piece.length(); i++) {
        client.send(piece);
      }
      client.endOutput();

      assertThat(await(received)).isEqualTo(piece.repeat(length / piece.length()));
      assertThat(await(result)).isEqualTo(Integer.toString(length));
    }
  }

  private static String receiveAll(RawClient client) {
    try {
      return client.receiveToEnd();
    } catch (IOException failure) {
      return failure.toString();
    }
  }

  @Test
  void endsAtOnceIfTheServerHasNothingToSay() throws IOException {
    try (TestServer server = TestServer.start(switching((in, out) -> "nothing"))) {
      for (int i = 0; i < 20; i++) {
        try (RawClient client = upgrade(server)) {
          receiveSwitch(client);
          assertThat(client.receiveToEnd()).isEmpty();
        }
      }
    }
  }

  @Test
  void failsTheReadOfAClientThatVanishes() throws IOException {
    Talk talk =
        (in, out) -> {
          write(out, "x");
          return "read " + in.read();
        };
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      assertThat(client.receive(1)).isEqualTo("x");

      client.reset();

      assertThat(await(result)).isEqualTo("IOException");
    }
  }

  @Test
  void failsTheWriteToAClientThatVanishes() throws IOException {
    Talk talk =
        (in, out) -> {
          while (true) {
            write(out, "x".repeat(10_000));
          }
        };
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);

      client.reset();

      assertThat(await(result)).isEqualTo("IOException");
    }
  }

  @Test
  void closesTheConnectionIfTheHandlerFails() throws IOException {
    Talk talk =
        (in, out) -> {
          write(out, "x");
          throw new IOException("on purpose, after " + in.read());
        };
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      assertThat(client.receive(1)).isEqualTo("x");

      client.send("y");

      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void closesTheConnectionThoughTheClientGoesOnSending() throws IOException {
    Talk talk =
        (in, out) -> {
          write(out, "enough");
          return "done";
        };
    try (TestServer server = TestServer.start(switching(talk));
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      assertThat(client.receive(6)).isEqualTo("enough");
      await(result);

      byte[] piece = new byte[64 * 1024];
      int pieces = 0;
      while (isSent(client, piece)) { // waits once the system's buffers are full
        assertThat(++pieces).isLessThan(1024);
      }
    }
  }

  private static boolean isSent(RawClient client, byte[] piece) {
    try {
      client.send(piece);
      return true;
    } catch (IOException closed) {
      return false;
    }
  }

  @Test
  void goesOnOnAnotherThreadAfterTheHandler() throws IOException {
    CompletableFuture<HttpExchange> kept = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.getResponseHeaders().set("Upgrade", "raw");
          exchange.sendResponseHeaders(101, -1);
          kept.complete(exchange);
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = upgrade(server)) {
      receiveSwitch(client);
      HttpExchange exchange = await(kept);
      write(exchange.getResponseBody(), "later");
      assertThat(client.receive(5)).isEqualTo("later");
      client.send("bytes");
      assertThat(exchange.getRequestBody().readNBytes(5)).asString().isEqualTo("bytes");

      exchange.close();

      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void refusesToSwitchIfTheClientDoesNotAskForIt() throws IOException {
    HttpHandler handler =
        exchange -> {
          try {
            exchange.sendResponseHeaders(101, -1);
          } catch (IOException refused) {
            TestServer.answer(exchange, 426, "refused");
          }
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").content()).isEqualTo("refused");
    }
  }

  @Test
  void refusesAProtocolThatTheClientDoesNotOffer() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.getResponseHeaders().set("Upgrade", "other");
          exchange.getResponseHeaders().set("X-Own", "1");
          try {
            exchange.sendResponseHeaders(101, -1);
          } catch (IOException refused) {
            exchange.getResponseHeaders().remove("Upgrade");
            TestServer.answer(exchange, 400, "refused");
          }
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = upgrade(server)) {
      Answer answer = client.receive();
      assertThat(answer.content()).isEqualTo("refused");
      assertThat(answer.values("X-Own")).containsExactly("1");
    }
  }
}
