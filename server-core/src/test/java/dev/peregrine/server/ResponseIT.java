package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpHandler;
import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a handler says, as it comes out on the wire. */
final class ResponseIT {
  private static final int[] SIZES = {0, 1, 9, 10, 99, 100, 16384, 16385, 65472, 65536, 1_000_003};

  @RegisterExtension final Servers servers = new Servers();

  @Test
  void sendsArraysWithTheirLength() {
    RawClient client =
        servers.connect(
            servers.start((request, response) -> response.send(Requests.content(size(request)))));
    for (int size : SIZES) {
      RawResponse response = client.get("/" + size).read();
      assertThat(response.framing()).isEqualTo(Framing.LENGTH);
      assertThat(response.content()).isEqualTo(Requests.content(size));
    }
  }

  static Stream<BufferKind> buffers() {
    return Stream.of(
        ByteBuffer::wrap,
        content -> {
          ByteBuffer larger = ByteBuffer.allocate(content.length + 7).position(3);
          return larger.put(content).flip().position(3);
        },
        content -> ByteBuffer.wrap(content).asReadOnlyBuffer(),
        content -> ByteBuffer.allocateDirect(content.length).put(content).flip(),
        content ->
            ByteBuffer.allocateDirect(content.length).put(content).flip().asReadOnlyBuffer());
  }

  interface BufferKind {
    ByteBuffer of(byte[] content);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void sendsBuffersOfEveryKind(BufferKind kind) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              ByteBuffer buffer = kind.of(Requests.content(size(request)));
              if (request.query() == null) {
                response.send(buffer);
              } else {
                response.stream().write(buffer).write(buffer).end();
              }
            });
    RawClient client = servers.connect(server);
    for (int size : SIZES) {
      byte[] content = Requests.content(size);
      assertThat(client.get("/" + size).read().content()).isEqualTo(content);
      assertThat(client.get("/" + size + "?twice").read().content())
          .isEqualTo(Requests.join(content, content));
    }
  }

  @Test
  void sendsAStreamInOneChunkPerWrite() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              var stream = response.stream();
              for (int i = 0; i < SIZES.length; i++) {
                stream.write(Requests.content(SIZES[i]));
              }
              stream.end();
            });

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
    assertThat(response.chunks()).isEqualTo(SIZES.length - 1); // there is no chunk of size 0
    byte[][] parts = new byte[SIZES.length][];
    for (int i = 0; i < SIZES.length; i++) {
      parts[i] = Requests.content(SIZES[i]);
    }
    assertThat(response.content()).isEqualTo(Requests.join(parts));
  }

  @Test
  void sendsAStreamWithTheLengthThatTheHandlerDeclared() {
    byte[] content = Requests.content(100_000);
    HttpServer server =
        servers.start(
            (request, response) ->
                response.header("Content-Length", "100000").stream()
                    .write(content, 0, 60_000)
                    .write(content, 60_000, 40_000)
                    .end());

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.LENGTH);
    assertThat(response.content()).isEqualTo(content);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/stream", "/output", "/blocking"})
  void sendsContentOfUnknownLengthToTheEndOfTheConnectionByHttp10(String how) {
    byte[] content = Requests.content(100_000);
    HttpHandler output =
        (request, response) -> {
          try (OutputStream out = response.outputStream()) {
            out.write(content);
          }
        };
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/stream" -> response.stream().write(content).end();
                case "/output" -> output.handle(request, response);
                default -> Handlers.blocking(output).handle(request, response);
              }
            });

    RawResponse response = servers.connect(server).send("GET " + how + " HTTP/1.0\r\n\r\n").read();

    assertThat(response.framing()).isEqualTo(Framing.TO_CLOSE);
    assertThat(response.saysClose()).isTrue();
    assertThat(response.content()).isEqualTo(content);
  }

  @Test
  void sendsTrailersBehindChunks() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.stream()
                    .write(Requests.bytes("content"))
                    .trailer("X-Sum", "17")
                    .trailer("X-Sum", "18")
                    .end());
    RawClient client = servers.connect(server);

    RawResponse response =
        client
            .send("GET / HTTP/1.1\r\nHost: a\r\nConnection: TE\r\nTE: gzip, Trailers\r\n\r\n")
            .read();

    assertThat(response.text()).isEqualTo("content");
    assertThat(response.trailers())
        .containsExactly(
            new RawResponse.Field("X-Sum", "17"), new RawResponse.Field("X-Sum", "18"));
    RawResponse without = client.get("/").read();
    assertThat(without.text()).isEqualTo("content");
    assertThat(without.trailers()).as("not asked for with TE: trailers").isEmpty();
  }

  @Test
  void leavesTrailersOutWhereThereAreNoChunks() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.header("Content-Length", "1").stream()
                    .write(Requests.bytes("a"))
                    .trailer("X", "y")
                    .end());
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("a");
    assertThat(client.send(Requests.head("/")).read("HEAD").header("Content-Length"))
        .isEqualTo("1");
    assertThat(client.get("/").read().text()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 16383, 16384})
  void sendsAnOutputStreamWithItsLengthWhileItFitsIntoTheBuffer(int size) {
    RawClient client = servers.connect(servers.start(output(size, 1000)));

    RawResponse response = client.get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.LENGTH);
    assertThat(response.content()).isEqualTo(Requests.content(size));
  }

  @ParameterizedTest
  @ValueSource(ints = {16385, 32768, 32769, 1_000_003})
  void sendsAnOutputStreamInChunksWhenItDoesNotFitIntoTheBuffer(int size) {
    RawClient client = servers.connect(servers.start(output(size, 1000)));

    RawResponse response = client.get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
    assertThat(response.content()).isEqualTo(Requests.content(size));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16383, 16384, 16385, 1 << 20})
  void takesWritesOfEverySizeIntoAnOutputStream(int part) {
    int size = part == 1 ? 40_000 : 200_000;
    RawClient client = servers.connect(servers.start(output(size, part)));

    assertThat(client.get("/").read().content()).isEqualTo(Requests.content(size));
  }

  @Test
  void sendsSingleBytesWrittenToAnOutputStream() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              try (OutputStream out = response.outputStream()) {
                for (byte b : Requests.content(20_000)) {
                  out.write(b);
                }
              }
            });

    assertThat(servers.connect(server).get("/").read().content())
        .isEqualTo(Requests.content(20_000));
  }

  @Test
  void keepsTheDeclaredLengthOfAnOutputStream() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.header("Content-Length", "50000");
              try (OutputStream out = response.outputStream()) {
                out.write(Requests.content(50_000));
              }
            });

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.LENGTH);
    assertThat(response.content()).isEqualTo(Requests.content(50_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "stream", "declared", "output", "none"})
  void answersHeadLikeGetWithoutTheContent(String kind) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              byte[] content = Requests.content(30_000);
              switch (kind) {
                case "whole" -> response.send(content);
                case "stream" -> response.stream().write(content).trailer("X", "y").end();
                case "declared" ->
                    response.header("Content-Length", "30000").stream().write(content).end();
                case "output" -> {
                  try (OutputStream out = response.outputStream()) {
                    out.write(content);
                  }
                }
                default -> response.header("Content-Length", "30000").send();
              }
            });
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.head("/"), Requests.head("/")));
    RawResponse head = client.read("HEAD");
    RawResponse again = client.read("HEAD");

    assertThat(again.header("Content-Length")).isEqualTo(head.header("Content-Length"));
    if (kind.equals("none")) {
      assertThat(head.header("Content-Length")).isEqualTo("30000");
    } else {
      RawResponse whole = client.get("/").read();
      assertThat(whole.content()).isEqualTo(Requests.content(30_000));
      assertThat(head.header("Content-Length")).isEqualTo(whole.header("Content-Length"));
      assertThat(head.header("Transfer-Encoding")).isEqualTo(whole.header("Transfer-Encoding"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void sendsNoContentWhereTheStatusHasNone(int status) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.status(status);
              switch (request.path()) {
                case "/whole" -> response.text("not to be seen");
                case "/stream" -> response.stream().write(new byte[100]).trailer("X", "y").end();
                case "/declared" ->
                    response.header("Content-Length", "3").stream().write(new byte[3]).end();
                case "/output" -> {
                  try (OutputStream out = response.outputStream()) {
                    out.write(new byte[20_000]);
                  }
                }
                default -> response.send();
              }
            });
    RawClient client = servers.connect(server);
    for (String path : List.of("/whole", "/stream", "/declared", "/output", "/empty")) {
      RawResponse response = client.get(path).read();
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.header("Transfer-Encoding")).isNull();
      assertThat(response.header("Content-Length")).isNull();
    }
  }

  @Test
  void sendsStatusesWithAndWithoutAReasonPhrase() {
    HttpServer server = servers.start((request, response) -> response.status(size(request)).send());
    RawClient client = servers.connect(server);
    for (int status = 200; status < 600; status++) {
      RawResponse response = client.get("/" + status).read();
      HttpStatus known = HttpStatus.of(status);
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.reason()).isEqualTo(known == null ? "" : known.reason());
    }
  }

  @Test
  void sendsFieldsAsTheHandlerSetThem() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response
                    .header("X-One", "first")
                    .header("x-one", "second")
                    .addHeader("Set-Cookie", "a=1")
                    .addHeader("Set-Cookie", "b=2")
                    .header("X-Latin", "\u00e9\t\u00ff")
                    .header("X-Empty", "")
                    .header("X-Removed", "no")
                    .contentType(ContentType.APPLICATION_JSON)
                    .send(Requests.bytes("{}")));

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.header("X-One")).isEqualTo("second");
    assertThat(response.headers("Set-Cookie")).containsExactly("a=1", "b=2");
    assertThat(response.header("X-Latin")).isEqualTo("\u00e9\t\u00ff");
    assertThat(response.header("X-Empty")).isEmpty();
    assertThat(response.header("Content-Type")).isEqualTo("application/json");
  }

  @Test
  void sendsTheLastContentTypeThatWasSet() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/field" ->
                    response
                        .contentType(ContentType.TEXT_PLAIN)
                        .header("content-type", "image/png")
                        .send();
                case "/type" ->
                    response
                        .header("Content-Type", "image/png")
                        .contentType(ContentType.TEXT_PLAIN)
                        .send();
                case "/kept" -> response.header("Content-Type", "text/css").text("a{}");
                case "/html" -> response.html("<p>");
                default -> response.text("text");
              }
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/field").read().header("Content-Type")).isEqualTo("image/png");
    assertThat(client.get("/type").read().header("Content-Type")).isEqualTo("text/plain");
    assertThat(client.get("/kept").read().header("Content-Type")).isEqualTo("text/css");
    assertThat(client.get("/html").read().header("Content-Type"))
        .isEqualTo("text/html; charset=utf-8");
    assertThat(client.get("/").read().header("Content-Type"))
        .isEqualTo("text/plain; charset=utf-8");
  }

  @Test
  void sendsFieldsOfManyKilobytes() {
    String value = "v".repeat(50_000);
    HttpServer server =
        servers.start((request, response) -> response.header("X-Long", value).text("content"));
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/"), Requests.get("/")));

    for (int i = 0; i < 2; i++) {
      RawResponse response = client.read();
      assertThat(response.header("X-Long")).isEqualTo(value);
      assertThat(response.text()).isEqualTo("content");
    }
  }

  @Test
  void leavesServerAndDateToTheHandlerThatSetsThem() {
    String date = "Sun, 06 Nov 1994 08:49:37 GMT";
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/date" -> response.header("date", date).send();
                case "/server" -> response.header("server", "Other").send();
                default -> response.send();
              }
            });
    RawClient client = servers.connect(server);

    RawResponse withDate = client.get("/date").read();
    assertThat(withDate.header("Date")).isEqualTo(date);
    assertThat(withDate.header("Server")).isEqualTo("Peregrine");
    RawResponse withServer = client.get("/server").read();
    assertThat(withServer.header("Server")).isEqualTo("Other");
    assertThat(withServer.header("Date")).isNotEqualTo(date);
    RawResponse withNeither = client.get("/").read();
    assertThat(withNeither.header("Server")).isEqualTo("Peregrine");
    assertThat(withNeither.header("Date")).isNotEqualTo(date);
  }

  @Test
  void namesTheServerAsTheOptionSays() {
    HttpHandler handler = (request, response) -> response.status(size(request)).send();
    HttpServer named = servers.start(handler, options -> options.serverName("Caf\u00e9/1.0 (x)"));
    HttpServer unnamed = servers.start(handler, options -> options.serverName(""));

    for (String status : List.of("/200", "/404")) {
      assertThat(servers.connect(named).get(status).read().header("Server"))
          .isEqualTo("Caf\u00e9/1.0 (x)");
      assertThat(servers.connect(unnamed).get(status).read().header("Server")).isNull();
    }
  }

  @Test
  void refusesToChangeAResponseThatWasSent() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.async(); // so that the response is this request's for good
              response.text("first");
              expectSent(() -> response.text("second"));
              expectSent(() -> response.send(new byte[1]));
              expectSent(() -> response.status(404));
              expectSent(() -> response.header("X", "y"));
              expectSent(() -> response.addHeader("X", "y"));
              expectSent(() -> response.contentType(ContentType.TEXT_PLAIN));
              expectSent(response::stream);
              expectSent(response::outputStream);
              assertThat(response.isCommitted()).isTrue();
              response.end();
            });
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("first");
    assertThat(client.get("/").read().text()).isEqualTo("first");
  }

  @Test
  void refusesWhatIsTheServersBusiness() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              expectRefused(() -> response.header("Transfer-Encoding", "chunked"));
              expectRefused(() -> response.addHeader("transfer-encoding", "gzip"));
              expectRefused(() -> response.header("Connection", "keep-alive"));
              expectRefused(() -> response.header("Content-Length", "-1"));
              expectRefused(() -> response.header("Content-Length", "+1"));
              expectRefused(() -> response.header("Content-Length", "1 "));
              expectRefused(() -> response.header("Content-Length", ""));
              expectRefused(() -> response.header("Content-Length", "99999999999999999999"));
              expectRefused(() -> response.status(199));
              expectRefused(() -> response.status(100));
              expectRefused(() -> response.status(600));
              expectRefused(() -> response.status(-200));
              response.text("unharmed");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("unharmed");
  }

  private static void expectSent(Runnable change) {
    assertThatThrownBy(change::run)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("sent already");
  }

  private static void expectRefused(Runnable change) {
    assertThatThrownBy(change::run).isInstanceOf(IllegalArgumentException.class);
  }

  private static HttpHandler output(int size, int part) {
    return (request, response) -> writeOutput(response, Requests.content(size), part);
  }

  private static void writeOutput(HttpResponse response, byte[] content, int part)
      throws Exception {
    try (OutputStream out = response.outputStream()) {
      for (int from = 0; from < content.length; from += part) {
        out.write(content, from, Math.min(part, content.length - from));
      }
    }
  }

  private static int size(HttpRequest request) {
    return Integer.parseInt(request.path().substring(1));
  }
}
