package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.OnlyHttp1;
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

/** The content that a handler sends, and its framing, as received by a client. */
final class ResponseContentIT {
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
                response.stream().write(buffer).write(buffer).complete();
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

  @OnlyHttp1("chunks")
  @Test
  void sendsAStreamInOneChunkPerWrite() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              var stream = response.stream();
              for (int i = 0; i < SIZES.length; i++) {
                stream.write(Requests.content(SIZES[i]));
              }
              stream.complete();
            });

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
    assertThat(response.chunks()).isEqualTo(SIZES.length - 1); // an empty write sends no chunk
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
                    .complete());

    RawResponse response = servers.connect(server).get("/").read();

    assertThat(response.framing()).isEqualTo(Framing.LENGTH);
    assertThat(response.content()).isEqualTo(content);
  }

  @OnlyHttp1("HTTP/1.0")
  @ParameterizedTest
  @ValueSource(strings = {"/stream", "/output", "/blocking"})
  void sendsContentOfUnknownLengthToTheEndOfTheConnectionByHttp10(String how) {
    byte[] content = Requests.content(100_000);
    Handler output =
        (request, response) -> {
          try (OutputStream out = response.outputStream()) {
            out.write(content);
          }
        };
    HttpServer server =
        servers.start(
            (request, response) -> {
              switch (request.path()) {
                case "/stream" -> response.stream().write(content).complete();
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
  void sendsTrailersAfterChunks() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.stream()
                    .write(Requests.bytes("content"))
                    .trailer("X-Sum", "17")
                    .trailer("X-Sum", "18")
                    .complete());
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
  void leavesTrailersOutWithoutChunks() {
    HttpServer server =
        servers.start(
            (request, response) ->
                response.header("Content-Length", "1").stream()
                    .write(Requests.bytes("a"))
                    .trailer("X", "y")
                    .complete());
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

  @OnlyHttp1("Transfer-Encoding")
  @ParameterizedTest
  @ValueSource(strings = {"whole", "stream", "declared", "output", "none"})
  void answersHeadLikeGetWithoutTheContent(String kind) {
    HttpServer server =
        servers.start(
            (request, response) -> {
              byte[] content = Requests.content(30_000);
              switch (kind) {
                case "whole" -> response.send(content);
                case "stream" -> response.stream().write(content).trailer("X", "y").complete();
                case "declared" ->
                    response.header("Content-Length", "30000").stream().write(content).complete();
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
                case "/stream" ->
                    response.stream().write(new byte[100]).trailer("X", "y").complete();
                case "/declared" ->
                    response.header("Content-Length", "3").stream().write(new byte[3]).complete();
                case "/declared-only" -> response.contentLength(3).send();
                case "/output" -> {
                  try (OutputStream out = response.outputStream()) {
                    out.write(new byte[20_000]);
                  }
                }
                default -> response.send();
              }
            });
    RawClient client = servers.connect(server);
    for (String path :
        List.of("/whole", "/stream", "/declared", "/declared-only", "/output", "/empty")) {
      boolean replaces = status == 304 && path.startsWith("/declared"); // a 200 of that length
      for (String method : List.of("GET", "HEAD")) {
        RawResponse response =
            client.send(method + " " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").read(method);
        assertThat(response.status()).isEqualTo(status);
        assertThat(response.header("Transfer-Encoding")).isNull();
        assertThat(response.header("Content-Length")).isEqualTo(replaces ? "3" : null);
      }
    }
  }

  private static Handler output(int size, int part) {
    return (request, response) -> writeOutput(response, Requests.content(size), part);
  }

  private static void writeOutput(Response response, byte[] content, int part) throws Exception {
    try (OutputStream out = response.outputStream()) {
      for (int from = 0; from < content.length; from += part) {
        out.write(content, from, Math.min(part, content.length - from));
      }
    }
  }

  private static int size(Request request) {
    return Integer.parseInt(request.path().substring(1));
  }
}
