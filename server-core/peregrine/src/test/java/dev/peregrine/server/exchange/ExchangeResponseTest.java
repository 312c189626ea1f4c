package dev.peregrine.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.state.HttpStream;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses on in-memory streams. */
final class ExchangeResponseTest {
  private static final JsonCodec TEXT =
      new JsonCodec() {
        @Override
        public void write(Object value, OutputStream target) throws IOException {
          target.write(value.toString().getBytes(StandardCharsets.ISO_8859_1));
        }

        @Override
        public <T> @Nullable T read(byte[] content, Class<T> type) {
          return null;
        }
      };

  private final List<String> events = new ArrayList<>();
  private final List<ResponseStream> contents = new ArrayList<>();

  private static StreamServer server(Handler handler) {
    return new StreamServer(handler);
  }

  @Test
  void sendsAWholeResponse() {
    try (StreamServer server = server((request, response) -> response.text("hello"))) {
      MemoryStream stream = server.get("/");

      assertThat(stream.head).startsWith("200 ").contains("text/plain");
      assertThat(stream.length).isEqualTo(5);
      assertThat(stream.text()).isEqualTo("hello");
      assertThat(stream.ended).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1024, 1025, 16 * 1024, 16 * 1024 + 1, 300_000})
  void sendsContentInEveryForm(int bytes) {
    byte[] content = Requests.content(bytes);
    String text = new String(content, StandardCharsets.ISO_8859_1);
    Handler handler =
        (request, response) -> {
          switch (request.path()) {
            case "/array" -> response.send(content);
            case "/buffer" -> response.send(ByteBuffer.wrap(content));
            case "/direct" -> response.send(ByteBuffer.allocateDirect(bytes).put(content).flip());
            case "/json" -> response.json(text);
            default -> {
              OutputStream out = response.outputStream();
              out.write(content);
              out.close();
            }
          }
        };
    try (StreamServer server = new StreamServer(handler, ServerLimits.builder().build(), TEXT)) {
      for (String path : List.of("/array", "/buffer", "/direct", "/json", "/output")) {
        MemoryStream stream = server.get(path);

        assertThat(stream.text()).as(path).isEqualTo(text);
        assertThat(stream.ended).as(path).isTrue();
      }
    }
  }

  @Test
  void sendsAPartOfAFile(@TempDir Path folder) throws Exception {
    Path file = Files.write(folder.resolve("file"), Requests.bytes("0123456789"));
    List<FileChannel> files = new ArrayList<>();
    Handler handler =
        (request, response) -> {
          FileChannel channel = FileChannel.open(file);
          files.add(channel);
          response.send(channel, 2, 5);
        };
    try (StreamServer server = server(handler)) {
      assertThat(server.get("/").text()).isEqualTo("23456");
      assertThat(server.request("HEAD", "/", 0).text()).isEmpty();
      assertThat(files).noneMatch(FileChannel::isOpen);
    }
  }

  @Test
  void sendsAStreamWithTrailersForAClientThatTakesThem() {
    Handler handler =
        (request, response) ->
            response.stream()
                .write(Requests.bytes("ab"))
                .write(Requests.bytes("cd"))
                .trailer("X-Sum", "4")
                .complete();
    try (StreamServer server = server(handler)) {
      MemoryStream takes = server.get("/", "TE: trailers");
      MemoryStream doesNot = server.get("/");

      assertThat(takes.length).isEqualTo(HttpStream.UNKNOWN_LENGTH);
      assertThat(takes.text()).isEqualTo("abcd");
      assertThat(takes.trailers).isEqualTo("X-Sum: 4");
      assertThat(doesNot.text()).isEqualTo("abcd");
      assertThat(doesNot.trailers).isEmpty();
      assertThat(doesNot.ended).isTrue();
    }
  }

  @Test
  void holdsTheLastByteOfDeclaredContentBackUntilItsEnd() {
    Handler handler =
        (request, response) -> {
          ResponseStream content = response.contentLength(4).stream();
          content.write(Requests.bytes("abcd"));
          if (request.path().equals("/fails")) {
            throw new IllegalStateException("scripted");
          }
          content.complete();
        };
    try (StreamServer server = server(handler)) {
      MemoryStream ends = server.get("/ends");
      MemoryStream fails = server.get("/fails");

      assertThat(ends.length).isEqualTo(4);
      assertThat(ends.text()).isEqualTo("abcd");
      assertThat(ends.ended).isTrue();
      assertThat(fails.text()).isEqualTo("abc");
      assertThat(fails.brokenOff).isEqualTo(CloseReason.APPLICATION_FAILED);
    }
  }

  @Test
  void breaksOffContentThatIsShorterThanDeclared() {
    Handler handler =
        (request, response) ->
            response.contentLength(4).stream().write(Requests.bytes("abc")).complete();
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");

      assertThat(stream.ended).isFalse();
      assertThat(stream.brokenOff).isEqualTo(CloseReason.APPLICATION_FAILED);
    }
  }

  @Test
  void sendsNoContentToHead() {
    Handler handler =
        (request, response) -> {
          if (request.path().equals("/whole")) {
            response.text("hello");
          } else {
            response.stream().write(Requests.bytes("hello")).complete();
          }
        };
    try (StreamServer server = server(handler)) {
      MemoryStream whole = server.request("HEAD", "/whole", 0);
      MemoryStream pieces = server.request("HEAD", "/pieces", 0);

      assertThat(whole.length).isEqualTo(5);
      assertThat(whole.text()).isEmpty();
      assertThat(whole.ended).isTrue();
      assertThat(pieces.length).isEqualTo(HttpStream.UNKNOWN_LENGTH);
      assertThat(pieces.text()).isEmpty();
      assertThat(pieces.ended).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 205, 304})
  void sendsNoContentWithAStatusThatHasNone(int status) {
    Handler handler =
        (request, response) -> {
          response.status(status);
          if (request.path().equals("/whole")) {
            response.text("dropped");
          } else {
            response.stream().write(Requests.bytes("dropped")).complete();
          }
        };
    try (StreamServer server = server(handler)) {
      for (String path : List.of("/whole", "/pieces")) {
        MemoryStream stream = server.get(path);

        assertThat(stream.head).startsWith(String.valueOf(status));
        assertThat(stream.length).isEqualTo(status == 205 ? 0 : HttpStream.NO_CONTENT);
        assertThat(stream.text()).isEmpty();
        assertThat(stream.ended).isTrue();
      }
    }
  }

  @Test
  void offersFieldsOfTheConnectionToTheProtocol() {
    Handler handler =
        (request, response) ->
            response.header("Connection", "close").addHeader("X-One", "1").send();
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");

      assertThat(stream.taken).containsExactly("Connection: close");
      assertThat(stream.head).isEqualTo("200 X-One: 1");
    }
  }

  @Test
  void reportsWhenTheClientTakesNothingAndWhenItDoesAgain() {
    Handler handler =
        (request, response) -> {
          ResponseStream content = response.async().stream();
          contents.add(content);
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");
      ResponseStream content = contents.getFirst();
      server.turn(stream::takeNothing);
      server.turn(
          () -> {
            assertThat(content.isWritable()).isTrue();
            content.write(Requests.bytes("abcd"));
            assertThat(content.isWritable()).isFalse();
            content.onWritable(() -> events.add("writable"));
          });

      server.turn(() -> stream.grant(2));
      assertThat(events).isEmpty();
      server.turn(() -> stream.grant(10));

      assertThat(events).containsExactly("writable");
      assertThat(stream.text()).isEqualTo("abcd");
      server.turn(content::complete);
      assertThat(stream.ended).isTrue();
    }
  }

  @Test
  void letsABlockingHandlerWaitForItsClient() {
    Handler handler =
        Handlers.blocking(
            (request, response) -> {
              try (OutputStream out = response.outputStream()) {
                out.write(new byte[3_000_000]);
              }
            });
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");
      Await.until(
          "the window of 1 MiB is used up",
          () -> server.loop.call(() -> stream.text().length() == 1024 * 1024));

      server.turn(() -> stream.grant(3_000_000));

      Await.until("the response has ended", () -> server.loop.call(() -> stream.ended));
      assertThat(stream.text()).hasSize(3_000_000);
    }
  }

  @Test
  void flushesWhatWasWritten() {
    Handler handler =
        (request, response) -> {
          ResponseStream content = response.stream();
          content.flush();
          content.write(Requests.bytes("a")).flush();
          content.complete();
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");

      assertThat(stream.flushes).isEqualTo(2);
      assertThat(stream.text()).isEqualTo("a");
    }
  }

  @Test
  void handsATunnelOver() throws Exception {
    AtomicReference<IOException> told = new AtomicReference<>();
    RawListener listener =
        new IgnoringListener() {
          @Override
          public void onClose(IOException cause) {
            told.set(cause);
          }
        };
    Handler handler = (request, response) -> response.header("X-One", "1").tunnel(listener);
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.request("CONNECT", "a:1", 0);

      assertThat(stream.head).isEqualTo("200 X-One: 1");
      IOException closed = new IOException("closed");
      Objects.requireNonNull(stream.tunnel).onClose(closed);
      assertThat(told).hasValue(closed);
    }
  }

  @Test
  void declaresNoContentForASuccessOfConnectWithoutATunnel() {
    try (StreamServer server = server((request, response) -> response.text("dropped"))) {
      MemoryStream stream = server.request("CONNECT", "a:1", 0);

      assertThat(stream.length).isEqualTo(HttpStream.NO_CONTENT);
      assertThat(stream.text()).isEmpty();
      assertThat(stream.ended).isTrue();
    }
  }

  @Test
  void dropsWhatIsWrittenAfterTheEnd() {
    List<Response> responses = new ArrayList<>();
    Handler handler =
        (request, response) -> {
          responses.add(response.async());
          contents.add(response.stream());
        };
    try (StreamServer server = server(handler)) {
      MemoryStream stream = server.get("/");
      contents.getFirst().write(Requests.bytes("sent"));
      responses.getFirst().fail(new IllegalStateException("scripted"));
      contents.getFirst().write(Requests.bytes("dropped"));
      server.settle();

      assertThat(stream.text()).isEqualTo("sent");
      assertThat(stream.brokenOff).isEqualTo(CloseReason.APPLICATION_FAILED);
    }
  }
}
