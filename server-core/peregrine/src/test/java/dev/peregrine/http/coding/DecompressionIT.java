package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.KnownHeader;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DecompressionIT {
  private static final byte[] TEXT =
      "Lorem ipsum dolor sit amet. ".repeat(20_000).getBytes(StandardCharsets.US_ASCII);

  @RegisterExtension final Servers servers = new Servers();

  /** The ways in which a handler reads the content that it sends back. */
  enum How {
    STREAM,
    READ_ALL,
    FOR_EACH,
    WITH_PAUSES,
    WITH_PAUSES_FROM_THREADS;

    Handler handler() {
      return switch (this) {
        case STREAM ->
            Handlers.blocking(
                (request, response) -> response.send(request.body().inputStream().readAllBytes()));
        case READ_ALL ->
            (request, response) -> request.body().receiveAll(10_000_000, response::send);
        case FOR_EACH -> (request, response) -> collect(request, response, body -> {});
        case WITH_PAUSES ->
            (request, response) ->
                collect(
                    request,
                    response,
                    body -> {
                      body.pause();
                      response.onLoop(body::resume);
                    });
        case WITH_PAUSES_FROM_THREADS ->
            (request, response) -> {
              response.async();
              collect(
                  request,
                  response,
                  body -> {
                    body.pause();
                    Thread.ofVirtual().start(body::resume);
                  });
            };
      };
    }

    private interface Step {
      void after(RequestBody body);
    }

    private static void collect(Request request, Response response, Step step) {
      RequestBody body = request.body();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      body.receive(
          Listeners.of(
              data -> {
                all.writeBytes(data.toArray());
                step.after(body);
              },
              () -> response.send(all.toByteArray())));
    }
  }

  private static byte[] gzip(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(content, () -> new GZIPOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static byte[] deflate(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(content, () -> new DeflaterOutputStream(bytes));
    return bytes.toByteArray();
  }

  private interface Opening {
    OutputStream open() throws IOException;
  }

  private static void write(byte[] content, Opening opening) {
    try (OutputStream out = opening.open()) {
      out.write(content);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static byte[] post(String coding, byte[] content) {
    String head =
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Encoding: "
            + coding
            + "\r\nContent-Length: "
            + content.length
            + "\r\n\r\n";
    return Requests.join(Requests.bytes(head), content);
  }

  private RawClient serve(Handler handler) {
    return servers.connect(servers.start(Decompression.of(handler)));
  }

  @ParameterizedTest
  @EnumSource
  void decodesHoweverContentIsTaken(How how) {
    RawClient client = serve(how.handler());

    for (int i = 0; i < 2; i++) {
      assertThat(client.send(post("gzip", gzip(TEXT))).read().content()).isEqualTo(TEXT);
      assertThat(client.send(post("X-GZIP", gzip(TEXT))).read().content()).isEqualTo(TEXT);
      assertThat(client.send(post("deflate", deflate(TEXT))).read().content()).isEqualTo(TEXT);
      byte[] random = Requests.content(300_000);
      assertThat(client.send(post("gzip", gzip(random))).read().content()).isEqualTo(random);
      assertThat(client.send(post("gzip", gzip(new byte[0]))).read().content()).isEmpty();
      assertThat(client.send(post("identity", TEXT)).read().content()).isEqualTo(TEXT);
      assertThat(client.send(post("gzip", new byte[0])).read().content()).isEmpty();
      assertThat(client.post("/", TEXT).read().content()).isEqualTo(TEXT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void decodesChunksAndMembersCutAnywhere(How how) {
    RawClient client = serve(how.handler());
    byte[] content = Requests.content(500);
    byte[] members = Requests.join(gzip(content), gzip(new byte[0]), gzip(content));
    byte[] head =
        Requests.lines(
            "POST / HTTP/1.1", "Host: a", "Content-Encoding: gzip", "Transfer-Encoding: chunked");
    for (int chunk : new int[] {1, 7, 100, 10_000}) {
      client.send(head).send(Requests.chunks(members, chunk, Map.of()));
      assertThat(client.read().content()).isEqualTo(Requests.join(content, content));
    }
  }

  @Test
  void readsEveryPartOfTheGzipHeader() {
    RawClient client = serve(How.READ_ALL.handler());
    byte[] plain = gzip(Requests.bytes("content"));
    byte[] body = Arrays.copyOfRange(plain, 10, plain.length);
    byte[] head = {0x1F, (byte) 0x8B, 8, 0x1C, 1, 2, 3, 4, 5, 6, 3, 0, 'a', 'b', 'c'};
    byte[] names = Requests.bytes("name\0comment\0");

    byte[] all = Requests.join(head, names, body);
    assertThat(client.send(post("gzip", all)).read().text()).isEqualTo("content");

    head[3] = 0x1E;
    CRC32 checksum = new CRC32();
    checksum.update(Requests.join(head, names));
    int sum = (int) checksum.getValue();
    byte[] sums = {(byte) sum, (byte) (sum >>> 8)};
    byte[] checked = Requests.join(head, names, sums, body);
    assertThat(client.send(post("gzip", checked)).read().text()).isEqualTo("content");
    sums[0]++;
    byte[] wrong = Requests.join(head, names, sums, body);
    assertThat(client.send(post("gzip", wrong)).read().status()).isEqualTo(400);
  }

  @Test
  void hidesFieldsThatAreNoLongerTrue() {
    Handler handler =
        (request, response) -> {
          List<String> seen = new ArrayList<>();
          for (int i = 0; i < request.headerCount(); i++) {
            seen.add(request.headerName(i) + ": " + request.headerValue(i));
          }
          seen.add("" + request.header("Content-Encoding"));
          seen.add("" + request.header(KnownHeader.CONTENT_LENGTH));
          seen.add("" + request.hasHeader(KnownHeader.CONTENT_ENCODING));
          seen.add("" + request.headers("content-length"));
          seen.add("" + request.body().length());
          seen.add(request.method() + request.path() + request.header("Host"));
          response.text(String.join("|", seen));
        };

    assertThat(serve(handler).send(post("gzip", gzip(TEXT))).read().text())
        .isEqualTo(Servers.received("Host") + ": test|null|null|false|[]|-1|POST/test");
  }

  @ParameterizedTest
  @EnumSource
  void rejectsBrokenContent(How how) {
    HttpServer server = servers.start(Decompression.of(how.handler()));
    byte[] valid = gzip(Requests.bytes("some content that is valid"));
    List<byte[]> broken = new ArrayList<>();
    for (int length = 1; length < valid.length; length++) {
      broken.add(Arrays.copyOf(valid, length));
    }
    for (int at : new int[] {0, 1, 2, 3, 12, valid.length - 8, valid.length - 1}) {
      byte[] flipped = valid.clone();
      flipped[at] ^= (byte) 0xE5;
      broken.add(flipped);
    }
    broken.add(Requests.join(valid, Requests.bytes("x")));
    broken.add(Requests.join(valid, new byte[10]));
    broken.add(TEXT);
    for (byte[] content : broken) {
      RawClient client = servers.connect(server);
      RawResponse response = client.send(post("gzip", content)).read();
      assertThat(response.status()).as(Arrays.toString(content)).isEqualTo(400);
    }
    byte[] zlib = deflate(TEXT);
    for (byte[] content :
        List.of(
            Arrays.copyOf(zlib, zlib.length - 1),
            Requests.join(zlib, new byte[1]),
            Arrays.copyOfRange(zlib, 2, zlib.length),
            new byte[] {0x78, (byte) 0xBB, 1, 2, 3, 4})) {
      RawClient client = servers.connect(server);
      assertThat(client.send(post("deflate", content)).read().status()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "zstd", "gzip, gzip", "compress", "gzip, br", "nonsense"})
  void rejectsOtherCodings(String coding) {
    RawResponse response = serve(How.READ_ALL.handler()).send(post(coding, TEXT)).read();

    assertThat(response.status()).isEqualTo(415);
    assertThat(response.header("Accept-Encoding")).isEqualTo("gzip, deflate");
  }

  @ParameterizedTest
  @EnumSource
  void stopsBombs(How how) {
    AtomicLong seen = new AtomicLong();
    Handler counting =
        (request, response) -> {
          seen.set(0);
          how.handler().handle(request, response);
        };
    HttpServer server = servers.start(Decompression.builder(counting).bytesMax(5_000_000).build());
    byte[] zeros = gzip(new byte[50_000_000]);
    byte[] bomb = Requests.join(zeros, zeros);

    assertThat(servers.connect(server).send(post("gzip", bomb)).read().status()).isEqualTo(413);
    assertThat(
            servers
                .connect(server)
                .send(post("deflate", deflate(new byte[5_000_001])))
                .read()
                .status())
        .isEqualTo(413);
    byte[] large = Requests.content(5_000_001);
    RawClient client = servers.connect(server);
    var sent = client.sendMeanwhile(post("gzip", gzip(large)));
    assertThat(client.read().status()).isEqualTo(413);
    sent.exceptionally(reset -> null).join();
    assertThat(
            servers.connect(server).send(post("gzip", gzip(new byte[5_000_000]))).read().content())
        .hasSize(5_000_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"STREAM", "READ_ALL", "FOR_EACH"})
  void countsDecodedBytesAgainstTheHandlersLimit(How how) {
    Handler limited =
        (request, response) -> {
          request.body().maxBytes(1000);
          how.handler().handle(request, response);
        };
    HttpServer server = servers.start(Decompression.of(limited));

    assertThat(servers.connect(server).send(post("gzip", gzip(new byte[1000]))).read().content())
        .hasSize(1000);
    assertThat(servers.connect(server).send(post("gzip", gzip(new byte[1001]))).read().status())
        .isEqualTo(413);
  }

  @Test
  void decodesAndCompressesAtOnce() {
    Handler echo = How.STREAM.handler();
    RawClient client = serve(Compression.of(echo));

    assertThat(client.send(post("gzip", gzip(TEXT))).read().content()).isEqualTo(TEXT);
  }

  @Test
  void releasesEverythingWhenTheClientDisconnects() {
    RawClient client = serve(How.STREAM.handler());
    byte[] request = post("gzip", gzip(Requests.content(100_000)));
    client.send(request, 0, request.length / 2);
    client.reset();
  }
}
