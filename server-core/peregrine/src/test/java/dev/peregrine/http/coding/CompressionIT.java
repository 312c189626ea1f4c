package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CompressionIT {
  private static final String TEXT = "Lorem ipsum dolor sit amet. ".repeat(100);
  private static final byte[] LONG = TEXT.repeat(700).getBytes(StandardCharsets.US_ASCII);
  private static final ContentType PLAIN = ContentType.TEXT_PLAIN;

  @RegisterExtension final Servers servers = new Servers();

  /** The ways in which a handler sends long content. */
  enum How {
    WHOLE,
    WHOLE_DIRECT,
    STREAM,
    STREAM_WITH_LENGTH,
    STREAM_FROM_THREAD,
    OUTPUT,
    OUTPUT_ON_LOOP,
    LATER;

    Handler handler() {
      return switch (this) {
        case WHOLE -> (request, response) -> response.contentType(PLAIN).send(LONG);
        case WHOLE_DIRECT -> {
          ByteBuffer direct = ByteBuffer.allocateDirect(LONG.length).put(LONG).flip();
          yield (request, response) -> response.contentType(PLAIN).send(direct);
        }
        case STREAM -> (request, response) -> stream(response.contentType(PLAIN).stream());
        case STREAM_WITH_LENGTH ->
            (request, response) ->
                stream(response.contentType(PLAIN).contentLength(LONG.length).stream());
        case STREAM_FROM_THREAD ->
            Handlers.blocking((request, response) -> stream(response.contentType(PLAIN).stream()));
        case OUTPUT -> Handlers.blocking((request, response) -> output(response));
        case OUTPUT_ON_LOOP -> (request, response) -> output(response);
        case LATER ->
            (request, response) ->
                response.async(
                    () ->
                        CompletableFuture.runAsync(
                            () -> response.contentType(PLAIN).send(LONG),
                            work -> Thread.ofVirtual().start(work)));
      };
    }

    private static void stream(ResponseStream stream) {
      int part = LONG.length / 7;
      for (int from = 0; from < LONG.length; from += part) {
        stream.write(LONG, from, Math.min(part, LONG.length - from));
      }
      stream.complete();
    }

    private static void output(Response response) throws IOException {
      try (OutputStream out = response.contentType(PLAIN).outputStream()) {
        out.write(LONG[0]);
        out.write(LONG, 1, 99);
        out.write(LONG, 100, 20_000);
        out.flush();
        out.write(LONG, 20_100, LONG.length - 20_100);
      }
    }
  }

  private RawClient serve(Handler handler) {
    return servers.connect(servers.start(handler));
  }

  private static RawResponse ask(RawClient client, String method, String accepted) {
    return client
        .send(method + " / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: " + accepted + "\r\n\r\n")
        .read(method);
  }

  private static RawResponse get(RawClient client) {
    return ask(client, "GET", "gzip");
  }

  private static byte[] unzip(byte[] content) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(content))) {
      return in.readAllBytes();
    } catch (IOException corrupt) {
      throw new UncheckedIOException(corrupt);
    }
  }

  private static void assertPlain(RawResponse response) {
    assertThat(response.header("Content-Encoding")).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void compressesLongContentHoweverItIsSent(How how) {
    Compression compression = Compression.of(how.handler());
    HttpServer server = servers.start(compression);
    RawClient client = servers.connect(server, 4 * 1024);

    for (int i = 0; i < 2; i++) {
      RawResponse response = get(client);
      assertThat(response.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
      assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
      assertThat(response.content().length).isLessThan(LONG.length / 10);
      assertThat(unzip(response.content())).isEqualTo(LONG);
      RawResponse plain = ask(client, "GET", "identity");
      assertPlain(plain);
      assertThat(plain.header("Vary")).isEqualTo("Accept-Encoding");
      assertThat(plain.content()).isEqualTo(LONG);
      RawResponse head = ask(client, "HEAD", "gzip");
      assertThat(head.header("Content-Encoding")).isEqualTo("gzip");
      assertThat(head.header("Content-Length")).isNull();
    }
    Await.until("the encoders are back", () -> compression.encodersInUse() == 0);
  }

  @Test
  void compressesShortContentWithItsLength() {
    RawClient client = serve(Compression.of((request, response) -> response.text(TEXT)));

    for (int i = 0; i < 3; i++) {
      RawResponse response = get(client);
      assertThat(response.framing()).isEqualTo(Framing.LENGTH);
      assertThat(response.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
      assertThat(unzip(response.content())).isEqualTo(Requests.bytes(TEXT));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip | true",
        "GZIP | true",
        "br, gzip;q=0.1 | true",
        "* | true",
        "identity;q=0, * | true",
        "gzip;q=0.5, identity;q=0.5 | true",
        "identity | false",
        "gzip;q=0 | false",
        "*;q=0 | false",
        "br | false",
        "gzip;q=0.2, identity;q=0.8 | false",
        "nonsense;;q | false"
      })
  void doesWhatTheClientPrefers(String accepted, boolean compressed) {
    RawClient client = serve(Compression.of((request, response) -> response.text(TEXT)));

    RawResponse response = ask(client, "GET", accepted);

    assertThat(response.header("Content-Encoding")).isEqualTo(compressed ? "gzip" : null);
    assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(client.get("/").read().text()).isEqualTo(TEXT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "image/png",
        "video/mp4",
        "application/zip",
        "application/gzip",
        "text/event-stream",
        "application/octet-stream",
        "font/woff2"
      })
  void leavesTypesAloneThatDoNotGetSmaller(String type) {
    ContentType contentType = ContentType.of(type);
    RawClient client =
        serve(
            Compression.of(
                (request, response) ->
                    response.contentType(contentType).send(Requests.bytes(TEXT))));

    RawResponse response = get(client);
    assertPlain(response);
    assertThat(response.header("Vary")).isNull();
    assertThat(response.text()).isEqualTo(TEXT);
  }

  @Test
  void knowsCompressibleTypes() {
    for (String type :
        new String[] {
          "text/html",
          "text/css",
          "application/json",
          "image/svg+xml",
          "application/ld+json",
          "application/wasm"
        }) {
      assertThat(Compression.isCompressible(type)).as(type).isTrue();
    }
    RawClient client =
        serve(
            Compression.builder(
                    (request, response) ->
                        response.header("Content-Type", "A/B; c=d").send(Requests.bytes(TEXT)))
                .types("a/b"::equals)
                .build());
    assertThat(get(client).header("Content-Encoding")).isEqualTo("gzip");
  }

  @Test
  void leavesContentAloneThatIsShortOrDoesNotGetSmaller() {
    byte[] random = Requests.content(3000);
    RawClient client =
        serve(
            Compression.builder(
                    (request, response) -> {
                      response.contentType(PLAIN);
                      switch (request.path()) {
                        case "/short" -> response.send(Requests.bytes(TEXT.substring(0, 1999)));
                        case "/output" -> response.outputStream().write(Requests.bytes("not much"));
                        default -> response.send(random);
                      }
                      response.complete();
                    })
                .bytesMin(2000)
                .build());
    for (String path : new String[] {"/short", "/random", "/output"}) {
      RawResponse response =
          client
              .send("GET " + path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
              .read();
      assertPlain(response);
      assertThat(response.framing()).isEqualTo(Framing.LENGTH);
    }
  }

  @Test
  void sendsFlushedContentBeforeTheRestIsReady() throws Exception {
    CompletableFuture<ResponseStream> opened = new CompletableFuture<>();
    RawClient client =
        serve(
            Compression.of(
                (request, response) -> {
                  ResponseStream stream = response.async().contentType(PLAIN).stream();
                  stream.write(Requests.bytes("first")).flush();
                  opened.complete(stream);
                }));
    client.send("GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");
    client.readUntil("\r\n\r\n");
    int size = Integer.parseInt(client.readUntil("\r\n").strip(), 16);
    byte[] encoded = client.readBytes(size);

    Inflater inflater = new Inflater(true);
    inflater.setInput(encoded, 10, encoded.length - 10);
    byte[] decoded = new byte[100];
    assertThat(inflater.inflate(decoded)).isEqualTo(5);
    assertThat(new String(decoded, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("first");
    inflater.end();
    ResponseStream stream = opened.get();
    assertThat(stream.isWritable()).isTrue();
    stream.write(Requests.bytes("last")).complete();
    stream.complete();
    client.readUntil("0\r\n\r\n");
  }

  @Test
  void sendsFilesAsTheyAre(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("file"), TEXT);
    RawClient client =
        serve(
            Compression.of(
                (request, response) -> {
                  response.contentType(PLAIN);
                  if (request.pathIs("/stream")) {
                    try (ResponseParts parts = new ResponseParts(response.stream())) {
                      parts.stream.write(FileChannel.open(file), 0, TEXT.length());
                    }
                  } else if (request.pathIs("/part")) {
                    response.send(FileChannel.open(file), 1, 2000);
                  } else {
                    response.send(file);
                  }
                }));
    String fields = " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";

    RawResponse whole = client.send("GET /" + fields).read();
    assertPlain(whole);
    assertThat(whole.text()).isEqualTo(TEXT);
    assertThat(client.send("GET /part" + fields).read().content()).hasSize(2000);
    RawResponse stream = client.send("GET /stream" + fields).read();
    assertThat(unzip(stream.content())).isEqualTo(Requests.bytes(TEXT));
  }

  private record ResponseParts(ResponseStream stream) implements AutoCloseable {
    @Override
    public void close() {
      stream.complete();
    }
  }

  @Test
  void givesEncodersBackWhenHandlersFail() {
    Compression compression =
        Compression.of(
            (request, response) -> {
              response.contentType(PLAIN);
              ResponseStream stream = response.stream();
              stream.write(Requests.bytes(TEXT));
              throw new IllegalStateException("on purpose");
            });
    HttpServer server = servers.start(compression);
    for (int i = 0; i < 5; i++) {
      try (RawClient client = servers.connect(server)) {
        client.send("GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");
        RawResponse answer = client.read();
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.header("Content-Encoding")).isNull();
      }
      servers.log().await(Level.SEVERE);
    }
    Await.until("the encoders have come back", () -> compression.encodersInUse() == 0);
  }

  @Test
  void givesEncodersBackWhenClientsGo() {
    CopyOnWriteArrayList<ResponseStream> streams = new CopyOnWriteArrayList<>();
    Compression compression =
        Compression.of(
            (request, response) -> streams.add(response.async().contentType(PLAIN).stream()));
    HttpServer server = servers.start(compression);
    for (int i = 0; i < 5; i++) {
      RawClient client = servers.connect(server);
      client.send("GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");
      int expected = i + 1;
      Await.until("the handler has run", () -> streams.size() == expected);
      client.reset();
    }
    Await.until("all are closed", () -> server.connectionCount() == 0);
    Await.until("the encoders have come back", () -> compression.encodersInUse() == 0);
    streams.getFirst().write(LONG); // dropped
    assertThat(compression.encodersInUse()).isZero();
  }

  @Test
  void sendsPlainContentWhenTooManyAreCompressed() {
    RawClient client =
        serve(
            Compression.builder((request, response) -> response.text(TEXT)).encodersMax(0).build());

    RawResponse response = get(client);
    assertPlain(response);
    assertThat(response.header("Vary")).isEqualTo("Accept-Encoding");
    assertThat(response.text()).isEqualTo(TEXT);
  }

  @Test
  void keepsTheOrderOfPipelinedResponses() {
    RawClient client =
        serve(
            Compression.of(
                (request, response) -> {
                  response.contentType(PLAIN);
                  if (request.pathIs("/long")) {
                    response.send(LONG);
                  } else {
                    response.text("short");
                  }
                }));
    String end = " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
    client.send(("GET /long" + end + "GET /short" + end).repeat(3));
    for (int i = 0; i < 3; i++) {
      assertThat(unzip(client.read().content())).isEqualTo(LONG);
      assertThat(client.read().text()).isEqualTo("short");
    }
  }

  @Test
  void rejectsOptionsOutOfRange() {
    Compression.Builder options = Compression.builder((request, response) -> response.send());
    assertThatThrownBy(() -> ContentCoding.gzip(0)).hasMessageContaining("level is 0");
    assertThatThrownBy(() -> ContentCoding.gzip(10)).hasMessageContaining("1 to 9");
    assertThatThrownBy(() -> options.codings()).hasMessageContaining("codings");
    assertThatThrownBy(() -> options.codings(ContentCoding.gzip(1), ContentCoding.gzip(9)))
        .hasMessageContaining("different names");
    assertThatThrownBy(() -> options.bytesMin(-1)).hasMessageContaining("bytesMin");
    assertThatThrownBy(() -> options.encodersMax(-1)).hasMessageContaining("encodersMax");
  }
}
