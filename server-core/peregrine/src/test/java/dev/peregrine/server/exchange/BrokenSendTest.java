package dev.peregrine.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.testing.IgnoringListener;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Handlers that catch what a call of their response throws, as the end of the stack or of the
 * memory can at any point of it: their client gets a response or an end, and is never left waiting.
 */
final class BrokenSendTest {
  private static final byte[] CONTENT = Requests.content(2000);
  private static final int POINTS_MAX = 100;

  @TempDir static Path folder;

  /** A way to send all of a response. */
  enum Way {
    ARRAY(response -> response.send(CONTENT)),
    EMPTY(Response::send),
    BUFFER(response -> response.send(ByteBuffer.wrap(CONTENT))),
    FILE(response -> response.send(FileChannel.open(file()), 0, CONTENT.length)),
    TEXT(response -> response.text("text")),
    JSON(response -> response.json("short")),
    LONG_JSON(response -> response.json("long".repeat(10_000))),
    STREAM(response -> response.stream().write(CONTENT).write(ByteBuffer.wrap(CONTENT)).complete()),
    STREAM_NOW(response -> response.stream().write(CONTENT).completeNow()),
    DECLARED(
        response ->
            response.contentLength(CONTENT.length).stream()
                .write(FileChannel.open(file()), 0, CONTENT.length)
                .complete()),
    FLUSHED_STREAM(
        response -> {
          ResponseStream stream = response.stream();
          stream.flush();
          stream.write(CONTENT).trailer("X-Sum", "1").complete();
        }),
    OUTPUT_STREAM(
        response -> {
          try (OutputStream out = response.outputStream()) {
            out.write(CONTENT);
          }
        }),
    LONG_OUTPUT_STREAM(
        response -> {
          OutputStream out = response.outputStream();
          for (int i = 0; i < 20; i++) {
            out.write(CONTENT);
          }
          out.close();
        }),
    FAILURE(response -> response.fail(new IllegalArgumentException("scripted"))),
    FAILURE_AMID(
        response -> {
          response.stream().write(CONTENT);
          response.fail(new IllegalArgumentException("scripted"));
        }),
    TUNNEL(response -> response.tunnel(new IgnoringListener()));

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    private final Step step;

    Way(Step step) {
      this.step = step;
    }

    private static Path file() throws Exception {
      return Files.write(folder.resolve("file"), CONTENT);
    }
  }

  @FunctionalInterface
  private interface Step {
    void run(Response response) throws Exception;
  }

  private static void sendCatching(Way way, Response response) {
    try {
      way.step.run(response);
    } catch (Throwable caught) {
      // as handlers do that go on whatever happens
    }
  }

  private static final JsonCodec JSON =
      new JsonCodec() {
        @Override
        public void write(Object value, OutputStream target) throws IOException {
          target.write(Requests.bytes(value.toString()));
        }

        @Override
        public <T> T read(byte[] content, Class<T> type) {
          throw new UnsupportedOperationException();
        }
      };

  @ParameterizedTest
  @EnumSource
  void endsTheExchangeOfAHandlerOnTheLoop(Way way) {
    everywhere(way, (request, response) -> sendCatching(way, response));
  }

  @ParameterizedTest
  @EnumSource
  void endsAnAsyncExchangeThatIsAnsweredOnTheLoop(Way way) {
    everywhere(
        way,
        (request, response) -> {
          response.async();
          response.onLoop(() -> sendCatching(way, response));
        });
  }

  /** Breaks off the call at each of its points in turn, until one of them is beyond its end. */
  private static void everywhere(Way way, Handler handler) {
    boolean broken = true;
    for (int point = 1; broken; point++) {
      assertThat(point).isLessThan(POINTS_MAX);
      try (StreamServer server = new StreamServer(handler, ServerLimits.builder().build(), JSON)) {
        server.failAt(point);
        MemoryStream stream =
            way == Way.TUNNEL ? server.request("CONNECT", "a:1", 0) : server.get("/");
        server.settle();

        broken = server.hasFailed();
        boolean ended = stream.ended || stream.tunnel != null || stream.brokenOff != null;
        assertThat(ended).as("the exchange has ended after a failure at point " + point).isTrue();
        if (!broken) {
          assertThat(stream.head).isNotNull();
        }
        server.log.take(Level.ALL);
      }
    }
  }
}
