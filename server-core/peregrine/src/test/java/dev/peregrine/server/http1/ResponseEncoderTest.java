package dev.peregrine.server.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResponseEncoderTest {
  private static final String DATE = "Date: ([A-Z][a-z]{2}, [0-9A-Za-z: ]{20} GMT)\r\n";

  private final ScriptedLoop loop = new ScriptedLoop();
  private final OutboundQueue out = new OutboundQueue(loop.loop().bufferPool());
  private final ResponsePreamble preamble = new ResponsePreamble(loop.loop(), "Test");
  private final ResponseEncoder encoder = new ResponseEncoder(preamble);
  private final FieldLines fields = new FieldLines();

  ResponseEncoderTest() {
    loop.start();
  }

  @AfterEach
  void end() {
    loop.run(out::clear);
    loop.close();
  }

  @Test
  void writesTheUsualHead() {
    assertThat(head(200, ContentType.TEXT_PLAIN, 5, false, false))
        .isEqualTo(
            Requests.text(
                "HTTP/1.1 200 OK",
                "Server: Test",
                "Date: D",
                "Content-Type: text/plain",
                "Content-Length: 5"));
  }

  @Test
  void writesTheHeadOfAnotherStatus() {
    assertThat(head(404, null, 0, false, false))
        .isEqualTo(
            "HTTP/1.1 404 Not Found\r\nServer: Test\r\nDate: D\r\nContent-Length: 0\r\n\r\n");
    assertThat(head(299, null, 0, false, false)).startsWith("HTTP/1.1 299 \r\nServer");
  }

  @Test
  void writesEveryStatusLine() {
    for (int status = 100; status < 600; status++) {
      HttpStatus known = HttpStatus.of(status);
      String reason = known == null ? "" : known.reason();
      assertThat(head(status, null, 1, false, false))
          .startsWith("HTTP/1.1 " + status + " " + reason + "\r\nServer: Test\r\n");
    }
  }

  @Test
  void writesTheFraming() {
    assertThat(rest(ResponseEncoder.CHUNKED, false, false))
        .isEqualTo("Transfer-Encoding: chunked\r\n\r\n");
    assertThat(rest(ResponseEncoder.TO_CLOSE, true, false)).isEqualTo("Connection: close\r\n\r\n");
    assertThat(rest(ResponseEncoder.NO_CONTENT, false, false)).isEqualTo("\r\n");
    assertThat(rest(7, true, false)).isEqualTo("Content-Length: 7\r\nConnection: close\r\n\r\n");
    assertThat(rest(7, false, true))
        .isEqualTo("Content-Length: 7\r\nConnection: keep-alive\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        0,
        1,
        9,
        10,
        11,
        99,
        100,
        101,
        999,
        1000,
        9999,
        10_000,
        65_535,
        99_999,
        100_000,
        999_999_999,
        1_000_000_000,
        2_147_483_647,
        2_147_483_648L,
        9_999_999_999L,
        10_000_000_000L,
        999_999_999_999_999_999L,
        1_000_000_000_000_000_000L,
        Long.MAX_VALUE - 1,
        Long.MAX_VALUE
      })
  void writesLengthsOfAnyNumberOfDigits(long length) {
    assertThat(rest(length, false, false)).isEqualTo("Content-Length: " + length + "\r\n\r\n");
  }

  @Test
  void writesAnyLength() {
    Seeds.each(
        2_000,
        random -> {
          long length = random.nextLong() >>> (1 + random.nextInt(63));
          assertThat(rest(length, false, false))
              .isEqualTo("Content-Length: " + length + "\r\n\r\n");
        });
  }

  @Test
  void writesFieldsAndLeavesItsOwnOutWhereTheyAreSet() {
    fields.add("X", "y");
    assertThat(head(200, null, 0, false, false))
        .isEqualTo(
            "HTTP/1.1 200 OK\r\nServer: Test\r\nDate: D\r\nX: y\r\nContent-Length: 0\r\n\r\n");
    fields.add("SERVER", "Own");
    assertThat(head(200, null, 0, false, false))
        .isEqualTo(
            "HTTP/1.1 200 OK\r\nDate: D\r\nX: y\r\nSERVER: Own\r\nContent-Length: 0\r\n\r\n");
    fields.add("date", "now");
    assertThat(head(200, null, 0, false, false))
        .isEqualTo(
            "HTTP/1.1 200 OK\r\nX: y\r\nSERVER: Own\r\ndate: now\r\nContent-Length: 0\r\n\r\n");
    fields.remove("Server");
    assertThat(head(404, null, 0, false, false))
        .isEqualTo(
            Requests.text(
                "HTTP/1.1 404 Not Found",
                "Server: Test",
                "X: y",
                "date: now",
                "Content-Length: 0"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 255, 256, 257, 1018, 1019, 1020, 4_000, 65_000, 66_000, 300_000})
  void writesFieldsOfAnyLength(int length) {
    fields.add("X", "v".repeat(length));

    assertThat(head(200, ContentType.TEXT_HTML_UTF_8, Long.MAX_VALUE, true, false))
        .contains("\r\nX: " + "v".repeat(length) + "\r\n")
        .endsWith("Content-Length: " + Long.MAX_VALUE + "\r\nConnection: close\r\n\r\n");
  }

  @Test
  void writesEachTypeAfterAnyOther() {
    ContentType html = ContentType.TEXT_HTML_UTF_8;
    ContentType text = ContentType.TEXT_PLAIN;
    List<@Nullable ContentType> types = Arrays.asList(text, text, html, null, html, html, text);
    for (int status : new int[] {200, 404, 200}) {
      for (ContentType type : types) {
        String line = type == null ? "" : "Content-Type: " + type + "\r\n";
        assertThat(head(status, type, 7, false, false))
            .endsWith("Date: D\r\n" + line + "Content-Length: 7\r\n\r\n");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1007, 1008, 1009, 1010, 5_000, 70_000})
  void writesATypeOfAnyLength(int length) {
    ContentType type = ContentType.of("t".repeat(length));
    for (int i = 0; i < 2; i++) {
      assertThat(head(200, type, 7, false, false))
          .endsWith("Date: D\r\nContent-Type: " + type + "\r\nContent-Length: 7\r\n\r\n");
      assertThat(head(200, null, 7, false, false)).endsWith("Date: D\r\nContent-Length: 7\r\n\r\n");
    }
  }

  @Test
  void writesContentOfAnyLength() {
    IntStream.concat(
            IntStream.range(0, 70), IntStream.of(1023, 1024, 1025, 16_384, 16_385, 200_000))
        .forEach(
            length -> {
              byte[] content = Requests.content(length);
              String text =
                  encoded(
                      queue ->
                          encoder.head(
                              queue,
                              200,
                              ContentType.TEXT_PLAIN,
                              fields,
                              length,
                              content,
                              false,
                              false));
              assertThat(text)
                  .endsWith(
                      "Content-Length: "
                          + length
                          + "\r\n\r\n"
                          + new String(content, StandardCharsets.ISO_8859_1));
            });
  }

  @Test
  void leavesServerOutWhenItHasNoName() {
    ResponsePreamble unnamed = loop.call(() -> new ResponsePreamble(loop.loop(), ""));
    String text =
        encoded(
            queue ->
                new ResponseEncoder(unnamed).head(queue, 200, null, fields, 0, null, false, false));

    assertThat(text).isEqualTo("HTTP/1.1 200 OK\r\nDate: D\r\nContent-Length: 0\r\n\r\n");
  }

  @Test
  void writesHeadsOneAfterAnother() {
    String text =
        encoded(
            queue -> {
              for (int i = 0; i < 2_000; i++) {
                encoder.head(queue, 200, ContentType.TEXT_PLAIN, fields, i, null, false, false);
              }
            });
    for (int i = 0; i < 2_000; i++) {
      assertThat(text).contains("\r\nContent-Length: " + i + "\r\n\r\n");
    }
  }

  @Test
  void bringsTheDateUpToNow() {
    long before = System.currentTimeMillis() / 1000;
    String text = raw(queue -> encoder.head(queue, 200, null, fields, 0, null, false, false));
    long after = System.currentTimeMillis() / 1000;

    String date = text.replaceAll("(?s).*" + DATE + ".*", "$1");
    assertThat(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond())
        .isBetween(before, after);
  }

  @Test
  void writesChunks() {
    for (int size :
        new int[] {1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 65_535, 65_536, Integer.MAX_VALUE}) {
      assertThat(encoded(queue -> encoder.chunkHead(queue, size)))
          .isEqualTo(Integer.toHexString(size) + "\r\n");
    }
    assertThat(encoded(encoder::chunkEnd)).isEqualTo("\r\n");
    assertThat(encoded(queue -> encoder.lastChunk(queue, fields))).isEqualTo("0\r\n\r\n");
    fields.add("X", "y");
    fields.add("Z", "v".repeat(70_000));
    assertThat(encoded(queue -> encoder.lastChunk(queue, fields)))
        .isEqualTo("0\r\nX: y\r\nZ: " + "v".repeat(70_000) + "\r\n\r\n");
  }

  @Test
  void writesInterimResponses() {
    FieldLines hints = new FieldLines();
    hints.add("Link", "</a.css>; rel=preload");

    assertThat(encoded(out -> encoder.interim(out, 100, new FieldLines())))
        .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    assertThat(encoded(out -> encoder.interim(out, 103, hints)))
        .isEqualTo("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n");
  }

  /** Returns a head, with D for its date. */
  private String head(
      int status, @Nullable ContentType type, long length, boolean close, boolean keepAlive) {
    return encoded(
        queue -> encoder.head(queue, status, type, fields, length, null, close, keepAlive));
  }

  /** Returns the part after Date of a head. */
  private String rest(long length, boolean close, boolean keepAlive) {
    String head = head(200, null, length, close, keepAlive);
    return head.substring(head.indexOf("Date: D\r\n") + "Date: D\r\n".length());
  }

  private String encoded(Consumer<OutboundQueue> encoding) {
    return raw(encoding).replaceAll(DATE, "Date: D\r\n");
  }

  private String raw(Consumer<OutboundQueue> encoding) {
    ScriptedSocket socket = new ScriptedSocket();
    loop.run(
        () -> {
          encoding.accept(out);
          drainTo(socket);
        });
    return socket.text();
  }

  private void drainTo(ScriptedSocket socket) throws IOException {
    while (!out.isEmpty()) {
      out.writeTo(socket);
    }
  }
}
