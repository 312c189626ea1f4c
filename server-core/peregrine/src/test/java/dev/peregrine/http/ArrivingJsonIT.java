package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.coding.Decompression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Codecs that read a value while its content arrives. */
final class ArrivingJsonIT {
  private static final int BYTES_MAX = 20;

  /** What a codec does with an exception of the stream that it reads. */
  enum Failures {
    PASSED_ON,
    WRAPPED,
    DROPPED
  }

  /** A codec for JSON strings without escapes, that reads no byte after the last quote. */
  private record Strings(Failures failures, CountDownLatch began) implements JsonCodec {
    @Override
    public void write(Object value, OutputStream target) throws IOException {
      target.write(("\"" + value + "\"").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public <T> T read(byte[] content, Class<T> type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> @Nullable T read(InputStream content, Class<T> type) throws IOException {
      try {
        return type.cast(string(content));
      } catch (Malformed malformed) {
        throw malformed;
      } catch (IOException | HttpException failure) {
        switch (failures) {
          case PASSED_ON -> throw failure;
          case WRAPPED -> throw new UncheckedIOException(new IOException(failure));
          case DROPPED -> {}
        }
        return type.cast("dropped");
      }
    }

    private @Nullable String string(InputStream content) throws IOException {
      int first = content.read();
      began.countDown();
      if (first == 'n') {
        return null;
      }
      if (first == 'f') {
        throw new IllegalStateException("the codec does not know the class");
      }
      if (first != '"') {
        throw new Malformed();
      }
      StringBuilder value = new StringBuilder();
      for (int next = content.read(); next != '"'; next = content.read()) {
        if (next < 0) {
          throw new Malformed();
        }
        value.append((char) next);
      }
      return value.toString();
    }
  }

  private static final class Malformed extends IOException {
    private static final long serialVersionUID = 1;
  }

  @RegisterExtension final Servers servers = new Servers();
  private final CountDownLatch began = new CountDownLatch(1); // a codec has read a byte

  private HttpServer serve(Failures failures, Handler handler) {
    return servers.start(handler, options -> options.json(new Strings(failures, began)));
  }

  private HttpServer serveEcho(Failures failures) {
    return serve(
        failures,
        Handlers.blocking(
            (request, response) -> response.json(request.readJson(BYTES_MAX, String.class))));
  }

  private static byte[] post(String content) {
    return Requests.bytes(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
            + content.length()
            + "\r\n\r\n"
            + content);
  }

  /** Returns the begin of a request with the first chunk of its content. */
  private static byte[] begin(String content) {
    return Requests.bytes(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
            + Integer.toHexString(content.length())
            + "\r\n"
            + content
            + "\r\n");
  }

  @ParameterizedTest
  @CsvSource({
    "hello, 200",
    "'', 200",
    "12345678901234567, 200",
    "123456789012345678, 200",
    "1234567890123456789, 413",
  })
  void readsAValueUpToTheLimit(String value, int status) {
    HttpServer server = serveEcho(Failures.PASSED_ON);
    String content = "\"" + value + "\"";

    for (byte[] request :
        new byte[][] {post(content), Requests.join(begin(content), Requests.bytes("0\r\n\r\n"))}) {
      var answer = servers.connect(server).send(request).read();
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.text())
          .isEqualTo(status == 200 ? content : "content of more than 20 bytes\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  void answers413WhateverTheCodecDoesWithTheException(Failures failures) {
    HttpServer server = serveEcho(failures);

    RawClient client = servers.connect(server).send(begin("\"1234567890123456789"));
    client.send(Requests.bytes("1\r\n0\r\n"));

    assertThat(client.read().status()).isEqualTo(413);
  }

  @ParameterizedTest
  @CsvSource({"nonsense, 400", "null, 400"})
  void rejectsContentBeforeAllOfItHasArrived(String begin, int status) {
    HttpServer server = serveEcho(Failures.PASSED_ON);

    assertThat(servers.connect(server).send(begin(begin)).read().status()).isEqualTo(status);
  }

  @Test
  void returnsAValueBeforeAllContentHasArrived() {
    HttpServer server = serveEcho(Failures.PASSED_ON);

    assertThat(servers.connect(server).send(begin("\"hello\" and")).read().text())
        .isEqualTo("\"hello\"");
  }

  @Test
  void logsAFaultOfTheCodecAndAnswers500() {
    HttpServer server = serveEcho(Failures.PASSED_ON);

    assertThat(servers.connect(server).send(post("fault")).read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE).getFirst().getThrown())
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource
  void tellsAClientThatGoesAwayFromMalformedJson(Failures failures) throws Exception {
    BlockingQueue<Exception> thrown = new LinkedBlockingQueue<>();
    HttpServer server =
        serve(
            failures,
            Handlers.blocking(
                (request, response) -> {
                  try {
                    request.readJson(BYTES_MAX, String.class);
                    throw new AssertionError("half of a value was read");
                  } catch (IOException | RuntimeException failure) {
                    thrown.add(failure);
                    throw failure;
                  }
                }));

    RawClient client = servers.connect(server).send(begin("\"hel"));
    began.await();
    client.close();

    assertThat(thrown.take()).isInstanceOf(IOException.class).isNotInstanceOf(Malformed.class);
  }

  @Test
  void readsDecompressedContent() throws IOException {
    HttpServer server =
        serve(
            Failures.PASSED_ON,
            Decompression.of(
                Handlers.blocking(
                    (request, response) -> response.json(request.readJson(2000, String.class)))));
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    String value = "\"" + "hello ".repeat(300) + "\"";
    try (OutputStream gzip = new GZIPOutputStream(content)) {
      gzip.write(value.getBytes(StandardCharsets.UTF_8));
    }

    byte[] head =
        Requests.bytes(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Content-Encoding: gzip\r\nContent-Length: "
                + content.size()
                + "\r\n\r\n");
    byte[] request = Requests.join(head, content.toByteArray());

    assertThat(servers.connect(server).send(request).read().text()).isEqualTo(value);
  }
}
