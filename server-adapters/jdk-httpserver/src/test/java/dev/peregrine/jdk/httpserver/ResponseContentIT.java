package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The content of responses: of a length that is declared, and of one that isn't. */
@Timeout(60)
class ResponseContentIT {
  private static final int[] LENGTHS = {1, 2, 8191, 8192, 8193, 16383, 16384, 16385, 1 << 20};

  /** How a handler writes content. */
  enum Style {
    WHOLE,
    PIECES,
    SINGLE_BYTES,
    FLUSHED_FIRST,
    FLUSHED_BETWEEN,
    FLUSHED_LAST;

    void write(OutputStream out, byte[] content) throws IOException {
      switch (this) {
        case WHOLE -> out.write(content);
        case PIECES -> writePieces(out, content, false);
        case SINGLE_BYTES -> {
          for (byte one : content) {
            out.write(one);
          }
        }
        case FLUSHED_FIRST -> {
          out.flush();
          writePieces(out, content, false);
        }
        case FLUSHED_BETWEEN -> writePieces(out, content, true);
        case FLUSHED_LAST -> {
          out.write(content);
          out.flush();
          out.flush();
        }
      }
    }

    private static void writePieces(OutputStream out, byte[] content, boolean flushes)
        throws IOException {
      int piece = Math.max(1, content.length / 7);
      for (int from = 0; from < content.length; from += piece) {
        out.write(content, from, Math.min(piece, content.length - from));
        if (flushes) {
          out.flush();
        }
      }
    }
  }

  private static String content(int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + i % 23));
    }
    return text.toString();
  }

  /** Returns a handler whose path has the length of the content. */
  private static HttpHandler writing(Style style, boolean declares) {
    return exchange -> {
      int length = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
      exchange.sendResponseHeaders(200, declares ? length : 0);
      try (OutputStream out = exchange.getResponseBody()) {
        style.write(out, content(length).getBytes(ISO_8859_1));
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void sendsContentOfADeclaredLength(Style style) throws IOException {
    try (TestServer server = TestServer.start(writing(style, true));
        RawClient client = server.connect()) {
      for (int length : LENGTHS) {
        Answer answer = client.request("GET", "/" + length).receive();

        assertThat(answer.values("Content-Length")).containsExactly(Integer.toString(length));
        assertThat(answer.values("Transfer-Encoding")).isEmpty();
        assertThat(answer.content()).isEqualTo(content(length));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsContentOfAnUnknownLengthInChunks(Style style) throws IOException {
    try (TestServer server = TestServer.start(writing(style, false));
        RawClient client = server.connect()) {
      for (int length : LENGTHS) {
        Answer answer = client.request("GET", "/" + length).receive();

        assertThat(answer.isChunked()).isTrue();
        assertThat(answer.values("Content-Length")).isEmpty();
        assertThat(answer.content()).isEqualTo(content(length));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10_000, 1 << 20})
  void sendsContentOfAnUnknownLengthToAnOldClientUntilTheEnd(int length) throws IOException {
    try (TestServer server = TestServer.start(writing(Style.PIECES, false));
        RawClient client = server.connect().send("GET /" + length + " HTTP/1.0\r\n\r\n")) {
      Answer head = client.receiveHead();

      assertThat(head.values("Transfer-Encoding")).isEmpty();
      assertThat(head.values("Content-Length")).isEmpty();
      assertThat(client.receiveToEnd()).isEqualTo(content(length));
    }
  }

  @Test
  void keepsTheConnectionOfAnOldClientThatAsksForIt() throws IOException {
    try (TestServer server = TestServer.start(writing(Style.WHOLE, true));
        RawClient client = server.connect()) {
      for (int i = 0; i < 2; i++) {
        client.send("GET /5 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        Answer answer = client.receive();

        assertThat(answer.content()).isEqualTo(content(5));
        assertThat(answer.values("Connection").getFirst()).isEqualToIgnoringCase("keep-alive");
      }
    }
  }

  @Test
  void sendsNoContentInOneEmptyChunk() throws IOException {
    HttpHandler empty =
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.close();
        };
    try (TestServer server = TestServer.start(empty);
        RawClient client = server.connect()) {
      for (int i = 0; i < 2; i++) {
        Answer answer = client.request("GET", "/").receive();
        assertThat(answer.isChunked()).isTrue();
        assertThat(answer.content()).isEmpty();
      }
    }
  }

  @Test
  void sendsWhatIsFlushedWhileTheHandlerGoesOn() throws IOException {
    CompletableFuture<String> received = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, exchange.getRequestURI().getPath().length() - 1);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write("ab".getBytes(ISO_8859_1));
            out.flush();
            out.write(await(received).getBytes(ISO_8859_1));
          }
        };
    try (TestServer server = TestServer.start(handler);
        RawClient chunked = server.connect().request("GET", "/");
        RawClient fixed = server.connect().request("GET", "/abcd")) {
      assertThat(chunked.receiveHead().isChunked()).isTrue();
      assertThat(chunked.receive(5)).isEqualTo("2\r\nab");
      assertThat(fixed.receiveHead().values("Content-Length")).containsExactly("4");
      assertThat(fixed.receive(2)).isEqualTo("ab");

      received.complete("cd");

      assertThat(chunked.receive(14)).isEqualTo("\r\n2\r\ncd\r\n0\r\n\r\n");
      assertThat(fixed.receive(2)).isEqualTo("cd");
    }
  }

  /** Writes pieces into a response of five bytes, and notes the failure. */
  private static String failureOfWriting(String... pieces) throws IOException {
    CompletableFuture<String> failure = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 5);
          try (OutputStream out = exchange.getResponseBody()) {
            for (String piece : pieces) {
              out.write(piece.getBytes(ISO_8859_1));
            }
          } catch (IOException expected) {
            failure.complete(String.valueOf(expected.getMessage()));
          }
          failure.complete("none");
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request("GET", "/", "Connection: close")) {
      String noted = await(failure);
      String received = client.receiveToEndOrReset();
      assertThat(received.endsWith("\r\n\r\n12345")).isEqualTo(noted.equals("none"));
      return noted;
    }
  }

  @Test
  void acceptsExactlyTheDeclaredBytes() throws IOException {
    assertThat(failureOfWriting("12345")).isEqualTo("none");
    assertThat(failureOfWriting("1234", "5", "")).isEqualTo("none");
  }

  @Test
  void refusesMoreThanTheDeclaredBytes() throws IOException {
    assertThat(failureOfWriting("123456")).contains("too many bytes", "5");
    assertThat(failureOfWriting("12", "3456")).contains("too many bytes", "5");
  }

  @Test
  void refusesToEndBeforeTheDeclaredBytes() throws IOException {
    assertThat(failureOfWriting("1234")).contains("insufficient bytes", "5");
    assertThat(failureOfWriting()).contains("insufficient bytes", "5");
  }

  @Test
  void sendsTheDeclaredBytesEvenIfMoreWereTried() throws IOException {
    HttpHandler handler =
        exchange -> {
          exchange.sendResponseHeaders(200, 5);
          OutputStream out = exchange.getResponseBody();
          out.write("12345".getBytes(ISO_8859_1));
          try {
            out.write('6');
          } catch (IOException expected) {
            out.close();
          }
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").content()).isEqualTo("12345");
    }
  }

  private static void tryAll(HttpExchange exchange, List<String> noted) {
    OutputStream out = exchange.getResponseBody();
    note(() -> out.write(1), noted);
    note(() -> out.write(new byte[3]), noted);
    note(out::flush, noted);
    note(out::close, noted);
  }

  private static void note(Step step, List<String> noted) {
    try {
      step.run();
      noted.add("fine");
    } catch (IOException failure) {
      noted.add(String.valueOf(failure.getMessage()));
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  @Test
  void hasAStreamBeforeTheHeadThatWorksOnlyAfterIt() throws IOException {
    List<String> noted = new CopyOnWriteArrayList<>();
    List<Object> streams = new CopyOnWriteArrayList<>();
    HttpHandler handler =
        exchange -> {
          OutputStream before = exchange.getResponseBody();
          tryAll(exchange, noted);
          exchange.sendResponseHeaders(200, 4);
          before.write("same".getBytes(ISO_8859_1));
          streams.addAll(List.of(before, exchange.getResponseBody()));
          before.close();
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").content()).isEqualTo("same");
      assertThat(noted).hasSize(4).allMatch(text -> text.contains("headers not sent"));
      assertThat(streams.getFirst()).isSameAs(streams.getLast());
    }
  }

  @Test
  void ignoresTheStreamAfterAResponseWithoutContentUnlessBytesAreWritten() throws IOException {
    CompletableFuture<List<String>> result = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          List<String> noted = new ArrayList<>();
          exchange.sendResponseHeaders(200, -1);
          OutputStream out = exchange.getResponseBody();
          note(() -> out.write(new byte[0]), noted);
          note(out::flush, noted);
          note(() -> out.write('x'), noted);
          note(out::close, noted);
          note(out::close, noted);
          result.complete(noted);
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").values("Content-Length")).containsExactly("0");
      assertThat(await(result)).containsExactly("fine", "fine", "stream closed", "fine", "fine");
    }
  }

  @Test
  void refusesBytesAfterTheEnd() throws IOException {
    CompletableFuture<List<String>> result = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          List<String> noted = new ArrayList<>();
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().close();
          tryAll(exchange, noted);
          result.complete(noted);
        };
    try (TestServer server = TestServer.start(handler)) {
      assertThat(server.get("/").content()).isEmpty();
      assertThat(await(result)).containsExactly("stream closed", "stream closed", "fine", "fine");
    }
  }
}
