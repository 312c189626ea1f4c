package dev.peregrine.jdk.httpserver;

import static dev.peregrine.jdk.httpserver.TestServer.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The head of responses: what handlers set, and what the server adds. */
@Timeout(60)
class ResponseHeadersIT {
  /** Responds with a status, a length and a field, and with as much content as that takes. */
  private static void respond(HttpExchange exchange, int status, long length, String... field)
      throws IOException {
    if (field.length > 0) {
      exchange.getResponseHeaders().set(field[0], field[1]);
    }
    exchange.sendResponseHeaders(status, length);
    boolean hasContent = status != 204 && status != 304 && length >= 0;
    if (hasContent && !exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseBody().write(new byte[(int) Math.max(length, 3)]);
    }
    exchange.close();
  }

  /** Returns the two framing fields of a response, after a second response as a check. */
  private static String framing(String method, HttpHandler handler) throws IOException {
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      String first = framing(method, client);
      assertThat(framing(method, client)).isEqualTo(first); // so nothing is left over
      return first;
    }
  }

  private static String framing(String method, RawClient client) throws IOException {
    client.request(method, "/");
    Answer answer = method.equals("HEAD") ? client.receiveHead() : client.receive();
    List<String> lengths = answer.values("Content-Length");
    List<String> codings = answer.values("Transfer-Encoding");
    assertThat(lengths).hasSizeLessThan(2);
    return String.join(" ", lengths) + String.join(" ", codings);
  }

  @ParameterizedTest
  @CsvSource({
    // the argument, what the handler sets, what is sent
    "5,  none, 5",
    "5,  5,    5",
    "5,  99,   5",
    "5,  0,    5",
    "5,  abc,  5",
    "0,  none, chunked",
    "0,  0,    chunked",
    "0,  99,   chunked",
    "-1, none, 0",
    "-1, 0,    0",
    "-1, 99,   0",
    "-1, abc,  0",
  })
  void sendsTheLengthOfTheContentWhateverTheHandlerSets(long length, String set, String sent)
      throws IOException {
    assertThat(framing("GET", exchange -> respond(exchange, 200, length, lengthField(set))))
        .isEqualTo(sent);
  }

  private static String[] lengthField(String set) {
    return set.equals("none") ? new String[0] : new String[] {"Content-Length", set};
  }

  @ParameterizedTest
  @CsvSource({
    "5,  none, 5",
    "5,  99,   99",
    "0,  99,   99",
    "-1, 99,   99",
    "-1, 0,    0",
    "0,  0,    0",
  })
  void sendsTheLengthThatAHeadRequestAsksFor(long length, String set, String sent)
      throws IOException {
    assertThat(framing("HEAD", exchange -> respond(exchange, 200, length, lengthField(set))))
        .isEqualTo(sent);
  }

  @Test
  void declaresChunksToAHeadRequestIfTheHandlerDoes() throws IOException {
    HttpHandler handler = exchange -> respond(exchange, 200, -1, "Transfer-Encoding", "chunked");

    assertThat(framing("HEAD", handler)).isEqualTo("chunked");
  }

  @ParameterizedTest
  @CsvSource({"-1, none", "0, none", "5, none", "-1, 99", "0, 99", "5, 99"})
  void sendsNoLengthWithoutContent(long length, String set) throws IOException {
    assertThat(framing("GET", exchange -> respond(exchange, 204, length, lengthField(set))))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 0, 5})
  void sendsNoContentIfItIsNotModified(long length) throws IOException {
    assertThat(framing("GET", exchange -> respond(exchange, 304, length))).isEmpty();
  }

  /** As the JDK's server does: the argument is ignored, and the field is the length of the 200. */
  @ParameterizedTest
  @CsvSource({"GET, -1", "GET, 0", "GET, 5", "HEAD, -1", "HEAD, 0", "HEAD, 5"})
  void sendsTheLengthThatTheHandlerHasSetIfItIsNotModified(String method, long length)
      throws IOException {
    CompletableFuture<Headers> shown = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.getResponseHeaders().set("Content-Length", "99");
          exchange.sendResponseHeaders(304, length);
          shown.complete(exchange.getResponseHeaders());
        };

    assertThat(framing(method, handler)).isEqualTo("99");
    assertThat(await(shown)).containsEntry("Content-length", List.of("99"));
  }

  @Test
  void sendsNoOtherFieldsThanDateAndFraming() throws IOException {
    try (TestServer server =
        TestServer.start(exchange -> respond(exchange, 200, -1, "X-Own", "1"))) {
      Answer answer = server.get("/");

      assertThat(answer.statusLine()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(answer.fields()).hasSize(3);
      assertThat(answer.values("Date").getFirst())
          .matches("[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT");
      assertThat(answer.values("X-Own")).containsExactly("1");
    }
  }

  @Test
  void endsTheStatusLineInABlankIfTheStatusHasNoName() throws IOException {
    try (TestServer server = TestServer.start(exchange -> respond(exchange, 299, -1))) {
      assertThat(server.get("/").statusLine()).isEqualTo("HTTP/1.1 299 ");
    }
  }

  @Test
  void replacesTheDateOfTheHandler() throws IOException {
    try (TestServer server =
        TestServer.start(exchange -> respond(exchange, 200, -1, "date", "yesterday"))) {
      assertThat(server.get("/").values("Date")).hasSize(1).doesNotContain("yesterday");
    }
  }

  @Test
  void sendsAllValuesOfAField() throws IOException {
    HttpHandler handler =
        exchange -> {
          Headers headers = exchange.getResponseHeaders();
          headers.put("X-Many", new ArrayList<>(List.of("b", "", "a b")));
          headers.add("x-many", "c");
          headers.add("X-Latin", "\u00fc\u00ff");
          headers.add("X-Folded", "one\r\n two");
          respond(exchange, 200, 1);
        };
    try (TestServer server = TestServer.start(handler)) {
      Answer answer = server.get("/");

      assertThat(answer.values("X-Many")).containsExactly("b", "", "a b", "c");
      assertThat(answer.values("X-Latin")).containsExactly("\u00fc\u00ff");
      assertThat(answer.values("X-Folded")).containsExactly("one two");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "CLose", "Close", "keep-alive, close"})
  void closesTheConnectionIfTheHandlerWantsThat(String value) throws IOException {
    try (TestServer server =
            TestServer.start(exchange -> respond(exchange, 200, 3, "connection", value));
        RawClient client = server.connect().request("GET", "/")) {
      Answer answer = client.receive();

      assertThat(answer.values("Connection")).containsExactly("close");
      assertThat(answer.content()).hasSize(3);
      assertThat(client.isEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep-alive", "disclosed", "x-close-x"})
  void keepsTheConnectionWithOtherOptions(String value) throws IOException {
    try (TestServer server =
            TestServer.start(exchange -> respond(exchange, 200, 0, "Connection", value));
        RawClient client = server.connect()) {
      assertThat(client.request("GET", "/").receive().values("Connection")).isEmpty();
      assertThat(client.request("GET", "/").receive().content()).hasSize(3);
    }
  }

  @Test
  void dropsTheTransferEncodingOfTheHandler() throws IOException {
    HttpHandler handler = exchange -> respond(exchange, 200, 5, "Transfer-Encoding", "gzip");

    assertThat(framing("GET", handler)).isEqualTo("5");
  }

  @Test
  void showsWhatItAddedToFiltersAndHandlers() throws IOException {
    CompletableFuture<Headers> before = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/early")) {
            before.complete(exchange.getResponseHeaders());
          }
          exchange.sendResponseHeaders(200, 1);
          exchange.getResponseBody().write('x');
          Headers after = exchange.getResponseHeaders();
          before.complete(after);
          exchange.getResponseBody().close();
        };
    for (String path : List.of("/early", "/late")) {
      try (TestServer server = TestServer.start(handler)) {
        assertThat(server.get(path).values("Content-Length")).containsExactly("1");
        assertThat(await(before)).containsEntry("Content-length", List.of("1")).containsKey("Date");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"GET, 204", "GET, 304", "HEAD, 204", "HEAD, 304"})
  void showsNoFramingThatItDoesNotSend(String method, int status) throws IOException {
    CompletableFuture<Headers> shown = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.getResponseHeaders().set("Transfer-Encoding", "chunked");
          exchange.sendResponseHeaders(status, 0);
          shown.complete(exchange.getResponseHeaders());
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect().request(method, "/")) {
      assertThat(client.receiveHead().fields()).hasSize(1);
      assertThat(await(shown)).containsOnlyKeys("Date");
    }
  }

  /** Returns what sendResponseHeaders throws, and whether a second, valid response arrives. */
  private static Throwable failure(Consumer<Headers> change) throws IOException {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          exchange.getResponseHeaders().add("X-A", "1");
          change.accept(exchange.getResponseHeaders());
          try {
            exchange.sendResponseHeaders(200, -1);
          } catch (RuntimeException | IOException expected) {
            failure.complete(expected);
            exchange.getResponseHeaders().clear();
            exchange.getResponseHeaders().add("X-B", "2");
            exchange.sendResponseHeaders(500, -1);
          }
          failure.complete(new AssertionError("nothing was thrown"));
        };
    try (TestServer server = TestServer.start(handler)) {
      Answer answer = server.get("/");
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.values("X-A")).isEmpty(); // nothing is left of the first attempt
      assertThat(answer.values("X-B")).containsExactly("2");
      return await(failure);
    }
  }

  @Test
  void refusesNullAndStaysUsable() throws IOException {
    assertThat(failure(headers -> Objects.requireNonNull(headers.get("X-A")).add(null)))
        .isInstanceOf(NullPointerException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X Blank", "", "X:Colon", "X-\u00fc"})
  void refusesANameThatIsNoTokenAndStaysUsable(String name) throws IOException {
    assertThat(failure(headers -> headers.add(name, "value")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "a\u0007b", "a\u007fb"})
  void refusesAValueThatNoFieldCanHaveAndStaysUsable(String value) throws IOException {
    assertThat(failure(headers -> headers.add("X-Value", value)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void leavesLineBreaksToTheApi() {
    assertThatThrownBy(() -> new Headers().add("X", "a\r\nSet-Cookie: b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void readsRequestFieldsAsLatinText() throws IOException {
    CompletableFuture<Headers> seen = new CompletableFuture<>();
    HttpHandler handler =
        exchange -> {
          seen.complete(exchange.getRequestHeaders());
          respond(exchange, 200, -1);
        };
    try (TestServer server = TestServer.start(handler);
        RawClient client = server.connect()) {
      client.request("GET", "/", "x-mAny: 1", "X-Latin: \u00fc", "X-Many: 2", "X-Empty:");
      assertThat(client.receive().status()).isEqualTo(200);

      Headers headers = await(seen);
      assertThat(headers.get("X-MANY")).containsExactly("1", "2");
      assertThat(headers.getFirst("x-latin").getBytes(ISO_8859_1)).containsExactly(0xfc);
      assertThat(headers.get("x-empty")).containsExactly("");
      assertThatThrownBy(() -> headers.add("X", "1"))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> Objects.requireNonNull(headers.get("X-many")).add("3"))
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }
}
