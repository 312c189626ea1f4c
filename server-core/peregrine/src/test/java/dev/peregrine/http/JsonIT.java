package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.Decompression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.zip.GZIPInputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonIT {
  /** A codec for JSON strings without escapes. It writes as libraries do: single bytes and runs. */
  private static final class Strings implements JsonCodec {
    @Override
    public void write(Object value, OutputStream target) throws IOException {
      target.write('"');
      target.write(((String) value).getBytes(StandardCharsets.UTF_8));
      target.flush();
      target.write('"');
      target.close();
    }

    @Override
    public <T> @Nullable T read(byte[] content, Class<T> type) throws IOException {
      String text = new String(content, StandardCharsets.UTF_8);
      if (text.equals("null")) {
        return null;
      }
      if (text.equals("422")) {
        throw new HttpException(422, "a number is not enough");
      }
      if (text.equals("fault")) {
        throw new IllegalStateException("the codec does not know the class");
      }
      if (!text.matches("\"[^\"]*\"")) {
        throw new IOException("no java.lang.String at 0");
      }
      return type.cast(text.substring(1, text.length() - 1));
    }
  }

  @RegisterExtension final Servers servers = new Servers();

  private HttpServer serve(Handler handler) {
    return servers.start(handler, options -> options.json(new Strings()));
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "1, false",
    "1021, false",
    "1022, false",
    "1023, false",
    "16381, false",
    "16382, false",
    "16383, false",
    "200000, false",
    "1000000, false",
    "0, true",
    "1000000, true"
  })
  void writesAValue(int length, boolean blocking) {
    String value = "ü".repeat(length / 2) + "x".repeat(length % 2);
    Handler handler = (request, response) -> response.json(value);
    HttpServer server = serve(blocking ? Handlers.blocking(handler) : handler);
    RawClient client = servers.connect(server);

    for (int i = 0; i < 3; i++) {
      RawResponse answer = client.send(Requests.join(Requests.get("/"), Requests.get("/"))).read();
      assertThat(answer.header("Content-Type")).isEqualTo("application/json");
      assertThat(answer.framing()).isEqualTo(RawResponse.Framing.LENGTH);
      assertThat(answer.text()).isEqualTo("\"" + value + "\"");
      assertThat(client.read().text()).isEqualTo("\"" + value + "\"");
    }
    RawResponse head = client.send(Requests.head("/")).read("HEAD");
    assertThat(head.header("Content-Length"))
        .isEqualTo("" + (value.getBytes(StandardCharsets.UTF_8).length + 2));
  }

  @Test
  void logsAFaultOfTheCodecAndAnswers500() {
    HttpServer server =
        serve((request, response) -> request.receiveJson(20, String.class, response::json));

    RawClient client = servers.connect(server);
    client.send(
        "POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n"
            + "Content-Length: 5\r\n\r\nfault");

    assertThat(client.read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE).getFirst().getThrown())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void keepsTheTypeAndStatusThatWereSet() {
    HttpServer server =
        serve(
            (request, response) ->
                response
                    .status(422)
                    .contentType(ContentType.of("application/problem+json"))
                    .json("problem"));

    RawResponse answer = servers.connect(server).get("/").read();

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsAValue(boolean blocking) {
    HttpServer server = serve(echo(blocking));
    RawClient client = servers.connect(server);

    assertThat(client.send(json("application/json", "\"hello\"")).read().text())
        .isEqualTo("\"hello\"");
    assertThat(client.send(json("Application/X+Json; charset=utf-8", "\"\"")).read().text())
        .isEqualTo("\"\"");
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, nonsense, 400",
    "application/json, '', 400",
    "application/json, \"12345678901234567890\", 413",
    "text/plain, \"x\", 415",
    "'', \"x\", 415",
  })
  void rejectsJsonOfAnotherType(String type, String content, int status) {
    for (boolean blocking : new boolean[] {true, false}) {
      HttpServer server = serve(echo(blocking));

      assertThat(servers.connect(server).send(json(type, content)).read().status())
          .isEqualTo(status);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nonsense, 400, the content is not the expected JSON",
    "'', 400, the content is not the expected JSON",
    "null, 400, the JSON is null",
    "422, 422, a number is not enough",
  })
  void sendsTheFaultInTheServersOwnText(String content, int status, String text) {
    for (boolean blocking : new boolean[] {true, false}) {
      HttpServer server = serve(echo(blocking));

      RawResponse answer = servers.connect(server).send(json("application/json", content)).read();

      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.text()).isEqualTo(text + "\n");
    }
  }

  @Test
  void failsTheExchangeIfAValueCannotBeWritten() {
    HttpServer server =
        serve((request, response) -> response.json(request.pathIs("/") ? 7 : "well"));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
    assertThat(servers.connect(server).get("/x").read().text()).isEqualTo("\"well\"");
  }

  @Test
  void reportsThatTheServerHasNoCodec() throws Exception {
    BlockingQueue<Response> responses = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              assertThatIllegalStateException().isThrownBy(() -> response.json("x"));
              assertThatIllegalStateException().isThrownBy(request::jsonCodec);
              responses.add(response);
              response.text("none");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("none");
    assertThatIllegalStateException().isThrownBy(() -> responses.take().json("x"));
  }

  @Test
  void passesThroughCompressionAndDecompression() throws IOException {
    HttpServer server =
        serve(
            Decompression.of(
                Compression.of(
                    (request, response) ->
                        request.receiveJson(10_000, String.class, response::json))));
    String value = "\"" + "hello ".repeat(1_000) + "\"";

    RawResponse answer =
        servers
            .connect(server)
            .send(json("application/json\r\nAccept-Encoding: gzip", value))
            .read();

    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(answer.header("Content-Encoding")).isEqualTo("gzip");
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.content()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(value);
    }
  }

  private static Handler echo(boolean blocking) {
    return blocking
        ? Handlers.blocking(
            (request, response) -> response.json(request.readJson(20, String.class)))
        : (request, response) -> request.receiveJson(20, String.class, response::json);
  }

  private static byte[] json(String type, String content) {
    return Requests.bytes(
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: "
            + type
            + "\r\nContent-Length: "
            + content.length()
            + "\r\n\r\n"
            + content);
  }

  @Test
  void sendsNothingOfAValueWhoseCodecSendsAnotherResponse() {
    AtomicReference<Response> current = new AtomicReference<>();
    List<OutputStream> kept = new CopyOnWriteArrayList<>();
    JsonCodec codec =
        new JsonCodec() {
          @Override
          public void write(Object value, OutputStream target) throws IOException {
            target.write(Requests.bytes((String) value));
            kept.add(target);
            if (value.equals("outer")) {
              current.get().json("inner");
            }
          }

          @Override
          public <T> T read(byte[] content, Class<T> type) {
            throw new UnsupportedOperationException();
          }
        };
    HttpServer server =
        servers.start(
            (request, response) -> {
              current.set(response);
              response.json("outer");
            },
            options -> options.loops(1).json(codec));
    RawClient client = servers.connect(server);

    assertThat(client.get("/").read().text()).isEqualTo("inner");
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
    assertThatThrownBy(() -> kept.getFirst().write(1)).isInstanceOf(IllegalStateException.class);
    assertThat(client.get("/").read().text()).isEqualTo("inner");
    servers.log().await(Level.SEVERE);
  }

  /** The memory that codecs write to is the loop's, so a codec that keeps it must not reach it. */
  @Test
  void rejectsWhatACodecWritesLater() {
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    AtomicReference<OutputStream> kept = new AtomicReference<>();
    JsonCodec keeping =
        new JsonCodec() {
          @Override
          public void write(Object value, OutputStream target) throws IOException {
            OutputStream before = kept.getAndSet(target);
            if (before != null) {
              thrown.add(thrownByAnotherThread(() -> before.write('x')));
            }
            target.write(Requests.bytes("\"" + value + "\""));
          }

          @Override
          public <T> @Nullable T read(byte[] content, Class<T> type) {
            return null;
          }
        };
    HttpServer server =
        servers.start(
            (request, response) -> response.json(request.path()), options -> options.json(keeping));
    RawClient client = servers.connect(server);

    assertThat(client.get("/a").read().text()).isEqualTo("\"/a\"");
    assertThat(client.get("/b").read().text()).isEqualTo("\"/b\"");
    assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
  }

  private static Throwable thrownByAnotherThread(ThrowingCallable use) {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread.ofPlatform().start(() -> thrown.complete(catchThrowable(use)));
    return thrown.join();
  }
}
