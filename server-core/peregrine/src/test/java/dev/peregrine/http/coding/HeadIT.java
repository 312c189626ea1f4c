package dev.peregrine.http.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HEAD behind compression describes the representation that GET sends (RFC 9110 section 9.3.2):
 * around the lengths at which compression and output streams change their way.
 */
final class HeadIT {
  private static final List<String> FIELDS =
      List.of(
          "Content-Encoding",
          "Content-Length",
          "Content-Type",
          "ETag",
          "Transfer-Encoding",
          "Vary");
  private static final List<Integer> LENGTHS =
      List.of(0, 1, 1023, 1024, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 200_000);
  private static final List<String> CODINGS = List.of("identity", "gzip", "br", "gzip, br");
  private static final String PROSE = "Lorem ipsum dolor sit amet. ".repeat(8000);
  private static final ContentType PLAIN = ContentType.TEXT_PLAIN;

  @RegisterExtension final Servers servers = new Servers();

  @TempDir Path dir;

  /** The ways in which a handler sends text, the same for both methods. */
  enum How {
    TEXT,
    BYTES,
    BUFFER,
    STREAM,
    STREAM_WITH_LENGTH,
    OUTPUT,
    OUTPUT_WITH_LENGTH,
    CHANNEL,
    PATH;

    @SuppressWarnings("MustBeClosed") // the server closes it
    void send(Response response, byte[] content, Path file) throws IOException {
      response.header("ETag", "\"tag\"").contentType(PLAIN);
      switch (this) {
        case TEXT -> response.text(new String(content, StandardCharsets.US_ASCII));
        case BYTES -> response.send(content);
        case BUFFER -> response.send(ByteBuffer.wrap(content));
        case STREAM -> response.stream().write(content).complete();
        case STREAM_WITH_LENGTH ->
            response.contentLength(content.length).stream().write(content).complete();
        case OUTPUT -> output(response, content);
        case OUTPUT_WITH_LENGTH -> output(response.contentLength(content.length), content);
        case CHANNEL -> response.send(FileChannel.open(file), 0, content.length);
        case PATH -> response.send(file);
      }
    }
  }

  private static void output(Response response, byte[] content) throws IOException {
    try (OutputStream out = response.outputStream()) {
      out.write(content);
    }
  }

  @ParameterizedTest
  @EnumSource
  void describesWhatTheHandlerSends(How how) throws IOException {
    Handler handler = (request, response) -> how.send(response, content(request), file(request));
    HttpServer server = servers.start(Compression.of(handler));
    RawClient client = servers.connect(server);
    RawClient blocking = servers.connect(servers.start(Compression.of(Handlers.blocking(handler))));
    for (int length : LENGTHS) {
      Files.write(dir.resolve(Integer.toString(length)), text(length));
      for (String coding : CODINGS) {
        expectSameFields(client, "/" + length, coding);
        expectSameFields(blocking, "/" + length, coding);
      }
    }
  }

  /** Content that doesn't get smaller is sent as it is, and so described. */
  @ParameterizedTest
  @ValueSource(ints = {2000, 16_384, 65_536, 65_537})
  void describesContentThatDoesNotGetSmaller(int length) throws IOException {
    byte[] random = Requests.content(length);
    RawClient client =
        servers.connect(
            servers.start(
                Compression.of(
                    (request, response) -> {
                      response.header("ETag", "\"tag\"").contentType(PLAIN);
                      if (request.pathIs("/output")) {
                        output(response, random);
                      } else {
                        response.send(random);
                      }
                    })));
    for (String path : List.of("/", "/output")) {
      expectSameFields(client, path, "gzip");
    }
  }

  /** A handler that knows the length of its content need not produce it for HEAD. */
  @ParameterizedTest
  @ValueSource(strings = {"send", "output", "stream"})
  void omitsALengthThatOnlyTheContentHas(String way) throws IOException {
    RawClient client =
        servers.connect(
            servers.start(
                Compression.of(
                    (request, response) -> {
                      byte[] content = content(request);
                      response.header("ETag", "\"tag\"").contentType(PLAIN);
                      response.contentLength(content.length);
                      boolean given = request.method().name().equals("GET");
                      byte[] sent = given ? content : new byte[0];
                      switch (way) {
                        case "send" -> response.send(sent);
                        case "output" -> output(response, sent);
                        default -> response.stream().write(sent).complete();
                      }
                    })));
    for (int length : LENGTHS.subList(1, LENGTHS.size())) {
      for (String coding : CODINGS) {
        Map<String, List<String>> expected = fields(ask(client, "GET", "/" + length, coding));
        Map<String, List<String>> head = fields(ask(client, "HEAD", "/" + length, coding));
        if (expected.containsKey("Content-Encoding") && !way.equals("stream")) {
          expected.remove("Content-Length");
          expected.remove("Transfer-Encoding");
        }
        assertThat(head).as("%d bytes, %s", length, coding).isEqualTo(expected);
      }
    }
  }

  private static byte[] content(Request request) {
    return text(Integer.parseInt(request.path().substring(1)));
  }

  private Path file(Request request) {
    return dir.resolve(request.path().substring(1));
  }

  private static byte[] text(int length) {
    return Requests.bytes(PROSE.substring(0, length));
  }

  private static void expectSameFields(RawClient client, String target, String coding) {
    RawResponse get = ask(client, "GET", target, coding);
    RawResponse head = ask(client, "HEAD", target, coding);
    assertThat(head.status()).as("%s, %s", target, coding).isEqualTo(get.status());
    assertThat(fields(head)).as("%s, %s", target, coding).isEqualTo(fields(get));
  }

  private static Map<String, List<String>> fields(RawResponse response) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (String name : FIELDS) {
      List<String> values = response.headers(name);
      if (!values.isEmpty() && !(Servers.HTTP_2 && name.equals("Transfer-Encoding"))) {
        fields.put(name, values);
      }
    }
    return fields;
  }

  private static RawResponse ask(RawClient client, String method, String target, String coding) {
    return client
        .send(
            method
                + " "
                + target
                + " HTTP/1.1\r\nHost: test\r\nAccept-Encoding: "
                + coding
                + "\r\n\r\n")
        .read(method);
  }
}
