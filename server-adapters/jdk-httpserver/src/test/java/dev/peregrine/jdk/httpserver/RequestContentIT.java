package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of requests: read in all ways, in part, or not at all. */
@Timeout(60)
class RequestContentIT {
  private static final String LARGE = "0123456789abcdef".repeat(16 * 1024);

  /** Reads with the stream, then responds with what the reader returns. */
  private interface Reader {
    String read(InputStream in) throws IOException;
  }

  private static HttpHandler reading(Reader reader) {
    return exchange -> TestServer.answer(exchange, 200, reader.read(exchange.getRequestBody()));
  }

  private static String result(String content, Reader reader) throws IOException {
    try (TestServer server = TestServer.start(reading(reader));
        RawClient client = server.connect()) {
      String first = client.post("/", content).receive().content();
      assertThat(client.post("/", content).receive().content()).isEqualTo(first);
      return first;
    }
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  private static String failure(Reader reader, InputStream in) {
    try {
      return reader.read(in);
    } catch (IOException expected) {
      return "IOException";
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 262_144})
  void readsAllOfTheContent(int length) throws IOException {
    String content = LARGE.substring(0, length);

    assertThat(result(content, in -> text(in.readAllBytes()))).isEqualTo(content);
  }

  @Test
  void readsSingleBytesAndThenTheEndAgainAndAgain() throws IOException {
    Reader reader =
        in -> {
          StringBuilder read = new StringBuilder();
          for (int next = in.read(); next >= 0; next = in.read()) {
            read.append((char) next);
          }
          return read.toString() + in.read() + in.read(new byte[5]);
        };

    assertThat(result("ab\u00ff", reader)).isEqualTo("ab\u00c3\u00bf-1-1");
    assertThat(result("", reader)).isEqualTo("-1-1");
  }

  @Test
  void readsLargeContentSlowly() throws IOException {
    Reader reader =
        in -> {
          byte[] piece = new byte[1009];
          StringBuilder read = new StringBuilder();
          for (int count = in.read(piece); count >= 0; count = in.read(piece, 7, 1000)) {
            read.append(new String(piece, read.isEmpty() ? 0 : 7, count, ISO_8859_1));
            Thread.onSpinWait();
          }
          return read.toString();
        };

    assertThat(result(LARGE, reader)).isEqualTo(LARGE);
  }

  @Test
  void readsMoreThanTheBuffersHoldOnceTheHandlerGoesOn() throws Exception {
    CompletableFuture<String> began = new CompletableFuture<>();
    CompletableFuture<String> released = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          int first = exchange.getRequestBody().read();
          began.complete("");
          String rest = await(released);
          byte[] content = exchange.getRequestBody().readAllBytes();
          TestServer.answer(exchange, 200, (char) first + rest + content.length);
        };
    int length = 64 << 20; // more than the system's buffers hold
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      client.request("POST", "/", "Content-Length: " + length);
      CompletableFuture<Boolean> sent = new CompletableFuture<>();
      Thread sender =
          Thread.ofPlatform().daemon().start(() -> sent.complete(sends(client, length)));
      await(began);
      assertThat(sent).isNotDone();
      released.complete(" ");

      assertThat(client.receive().content()).isEqualTo("x " + (length - 1));
      assertThat(await(sent)).isTrue();
      sender.join();
    }
  }

  private static boolean sends(RawClient client, int length) {
    byte[] piece = "x".repeat(64 * 1024).getBytes(ISO_8859_1);
    try {
      for (int i = 0; i < length / piece.length; i++) {
        client.send(piece);
      }
      return true;
    } catch (IOException failure) {
      return false;
    }
  }

  @Test
  void readsChunks() throws IOException {
    try (TestServer server = TestServer.start(reading(in -> text(in.readAllBytes())));
        RawClient client = server.connect()) {
      for (int i = 0; i < 2; i++) {
        client.request("POST", "/", "Transfer-Encoding: chunked");
        client.send("3\r\nabc\r\n").send("1\r\nd\r\n").send("0\r\n\r\n");
        assertThat(client.receive().content()).isEqualTo("abcd");
      }
    }
  }

  @Test
  void readsTheContentOfAGetRequest() throws IOException {
    try (TestServer server = TestServer.start(reading(in -> text(in.readAllBytes())));
        RawClient client = server.connect()) {
      client.request("GET", "/", "Content-Length: 3").send("abc");
      assertThat(client.receive().content()).isEqualTo("abc");
    }
  }

  @Test
  void skipsToTheEndAndNotBeyond() throws IOException {
    assertThat(result("abcdef", in -> in.skip(2) + text(in.readNBytes(1)) + in.skip(99)))
        .isEqualTo("2c3");
    assertThat(result("", in -> "" + in.skip(Integer.MAX_VALUE))).isEqualTo("0");
    assertThat(result(LARGE, in -> "" + in.skip(Long.MAX_VALUE)))
        .isEqualTo(Integer.toString(LARGE.length()));
  }

  @Test
  void tellsWhatIsAvailable() throws IOException {
    Reader reader =
        in -> {
          int first = in.read();
          int available = in.available();
          int read = in.read(new byte[100]);
          return (char) first + " " + (available <= read) + " " + in.available();
        };

    assertThat(result("", in -> Integer.toString(in.available()))).isEqualTo("0");
    assertThat(result("abc", reader)).isEqualTo("a true 0");
  }

  @Test
  void refusesToReadWhatIsClosed() throws IOException {
    Reader reader =
        in -> {
          in.close();
          in.close();
          return failure(closed -> "" + closed.read(), in)
              + failure(closed -> "" + closed.read(new byte[1]), in)
              + failure(closed -> "" + closed.available(), in)
              + failure(closed -> "" + closed.skip(1), in);
        };

    assertThat(result("abc", reader)).isEqualTo("IOException".repeat(4));
    assertThat(result("", in -> failure(reader, in))).isEqualTo("IOException".repeat(4));
  }

  @Test
  void refusesToReadOnceTheResponseHasEnded() throws IOException {
    List<String> noted = new ArrayList<>();
    CompletableFuture<List<String>> result = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          TestServer.answer(exchange, 200, "ended");
          noted.add(failure(in -> "" + in.read(), exchange.getRequestBody()));
          result.complete(noted);
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().post("/", "abc")) {
      assertThat(client.receive().content()).isEqualTo("ended");
      assertThat(await(result)).containsExactly("IOException");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 60_000})
  void keepsTheConnectionIfLittleContentIsUnread(int length) throws IOException {
    String content = LARGE.substring(0, length);

    assertThat(result(content, in -> "unread")).isEqualTo("unread");
    assertThat(result(content, in -> "" + (char) in.read())).isEqualTo("0");
    assertThat(
            result(
                content,
                in -> {
                  in.close();
                  return "closed";
                }))
        .isEqualTo("closed");
  }

  @Test
  void closesTheConnectionIfMuchContentIsUnread() throws IOException {
    try (TestServer server = TestServer.start(TestServer.answering("unread"));
        RawClient client = server.connect()) {
      client.request("POST", "/", "Content-Length: 10000000").send("begin");

      Answer answer = client.receive();

      assertThat(answer.content()).isEqualTo("unread");
      assertThat(answer.values("Connection")).containsExactly("close");
      assertThat(client.isEnded()).isTrue();
    }
  }

  @Test
  void respondsBeforeTheContentIsThere() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 5);
          exchange.getResponseBody().write("early".getBytes(ISO_8859_1));
          exchange.close();
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      client.request("POST", "/", "Content-Length: 10").send("begin");
      assertThat(client.receive().content()).isEqualTo("early");

      client.send("nning").request("GET", "/");

      assertThat(client.receive().content()).isEqualTo("early");
    }
  }

  @Test
  void readsWhileItWrites() throws IOException {
    HttpHandler echo =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getRequestBody().transferTo(exchange.getResponseBody());
          exchange.close();
        };
    try (TestServer server = TestServer.start(echo);
        RawClient client = server.connect()) {
      for (int i = 0; i < 2; i++) {
        assertThat(client.post("/", LARGE.substring(0, 100_000)).receive().content())
            .isEqualTo(LARGE.substring(0, 100_000));
      }
    }
  }
}
