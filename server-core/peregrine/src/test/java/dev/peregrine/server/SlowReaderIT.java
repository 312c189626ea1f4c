package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Responses larger than what the system takes at once, to a client with a small receive buffer:
 * every write is partial, and every byte arrives.
 */
final class SlowReaderIT {
  private static final byte[] CONTENT = Requests.content(6_000_000);
  private static final int RECEIVE_BUFFER_BYTES = 4 * 1024;
  private static final int LARGER_BUFFER_BYTES = 64 * 1024; // for content that takes long otherwise

  /** The ways in which a handler sends the content. */
  enum How {
    WHOLE,
    WHOLE_DIRECT,
    STREAM,
    STREAM_WITH_LENGTH,
    STREAM_AS_WRITABLE,
    STREAM_FROM_THREAD,
    OUTPUT,
    OUTPUT_WITH_LENGTH,
    OUTPUT_ON_LOOP;

    boolean isChunked() {
      return switch (this) {
        case STREAM, STREAM_AS_WRITABLE, STREAM_FROM_THREAD, OUTPUT, OUTPUT_ON_LOOP -> true;
        default -> false;
      };
    }

    Handler handler() {
      return switch (this) {
        case WHOLE -> (request, response) -> response.send(CONTENT);
        case WHOLE_DIRECT -> {
          ByteBuffer direct = ByteBuffer.allocateDirect(CONTENT.length).put(CONTENT).flip();
          yield (request, response) -> response.send(direct);
        }
        case STREAM -> (request, response) -> stream(response.stream());
        case STREAM_WITH_LENGTH -> (request, response) -> stream(declare(response).stream());
        case STREAM_AS_WRITABLE ->
            (request, response) ->
                streamOn(response.async().stream(), CONTENT, new AtomicInteger());
        case STREAM_FROM_THREAD ->
            Handlers.blocking((request, response) -> stream(response.stream()));
        case OUTPUT -> Handlers.blocking(How::output);
        case OUTPUT_WITH_LENGTH ->
            Handlers.blocking((request, response) -> output(request, declare(response)));
        case OUTPUT_ON_LOOP -> How::output;
      };
    }

    private static Response declare(Response response) {
      return response.header("Content-Length", "" + CONTENT.length);
    }

    private static void stream(ResponseStream stream) {
      for (int from = 0; from < CONTENT.length; ) {
        int part = Math.min(partBytes(from), CONTENT.length - from);
        stream.write(CONTENT, from, part);
        from += part;
      }
      stream.complete();
    }

    private static void streamOn(ResponseStream stream, byte[] content, AtomicInteger from) {
      while (from.get() < content.length) {
        if (!stream.isWritable()) {
          stream.onWritable(() -> streamOn(stream, content, from));
          return;
        }
        int part = Math.min(partBytes(from.get()), content.length - from.get());
        stream.write(content, from.getAndAdd(part), part);
      }
      stream.complete();
    }

    private static void output(Request request, Response response) throws Exception {
      try (OutputStream out = response.outputStream()) {
        for (int from = 0; from < CONTENT.length; ) {
          int part = Math.min(partBytes(from), CONTENT.length - from);
          out.write(CONTENT, from, part);
          from += part;
        }
      }
    }

    /**
     * Returns a length that is mostly below the limit of copied content, and sometimes above it.
     */
    private static int partBytes(int from) {
      return 1 + from % 7 * 4_321;
    }
  }

  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @EnumSource
  void getsEveryByte(How how) {
    HttpServer server = servers.start(how.handler());
    RawClient client = servers.connect(server, RECEIVE_BUFFER_BYTES);

    client.get("/1").get("/2");

    for (int i = 0; i < 2; i++) {
      RawResponse response = client.read();
      assertThat(response.framing()).isEqualTo(how.isChunked() ? Framing.CHUNKED : Framing.LENGTH);
      assertThat(response.content()).isEqualTo(CONTENT);
    }
  }

  @ParameterizedTest
  @EnumSource
  void getsEveryByteOfWhatItSendsItself(Echo echo) {
    RawClient client = servers.connect(servers.start(echo.handler()), RECEIVE_BUFFER_BYTES);

    var sent = client.sendMeanwhile(Requests.post("/", CONTENT));

    assertThat(client.read().content()).isEqualTo(CONTENT);
    sent.join();
  }

  @Test
  void leavesOtherClientsOfTheLoopAlone() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/large")) {
                response.send(CONTENT);
              } else {
                response.text("small");
              }
            },
            options -> options.loops(1));
    RawClient slow = servers.connect(server, RECEIVE_BUFFER_BYTES).get("/large");
    slow.readUntil("\r\n\r\n");

    RawClient other = servers.connect(server);
    for (int i = 0; i < 100; i++) {
      assertThat(other.get("/").read().text()).isEqualTo("small");
    }

    assertThat(slow.readBytes(CONTENT.length)).isEqualTo(CONTENT);
  }

  @Test
  void makesTheServerHoldNoMoreThanTheHighWaterMark() {
    byte[] content = Requests.content(SystemBuffers.MORE_BYTES);
    AtomicInteger written = new AtomicInteger();
    HttpServer server =
        servers.start(
            (request, response) -> How.streamOn(response.async().stream(), content, written),
            options -> options.loops(1));
    long idle = server.bufferBytesInUse();
    RawClient client = servers.connect(server, LARGER_BUFFER_BYTES).get("/");

    int[] seen = {-1, 0};
    Await.until(
        "the handler waits",
        () -> {
          seen[1] = written.get() == seen[0] ? seen[1] + 1 : 0;
          seen[0] = written.get();
          return seen[0] > 0 && seen[1] > 200;
        });
    assertThat(written.get()).isLessThan(content.length);
    // Unsent bytes take a few blocks: the high-water mark and one write more, rounded up.
    // Between two turns, because each turn takes further blocks.
    Await.until("the rest is freed", () -> server.bufferBytesInUse() - idle < 512 * 1024);

    assertThat(client.read().content()).isEqualTo(content);
  }

  @Test
  void stopsTheServerFromReadingMoreRequests() {
    byte[] content = Requests.content(SystemBuffers.MORE_BYTES);
    AtomicInteger handled = new AtomicInteger();
    HttpServer server =
        servers.start(
            (request, response) -> {
              handled.incrementAndGet();
              response.send(content);
            });
    RawClient client = servers.connect(server, LARGER_BUFFER_BYTES);

    client.send("GET / HTTP/1.1\r\nHost: test\r\n\r\n".repeat(50));

    for (int i = 0; i < 2; i++) {
      client.readUntil("\r\n\r\n");
      assertThat(handled.get()).isBetween(i + 1, i + 2);
      assertThat(client.readBytes(content.length)).isEqualTo(content);
    }
  }
}
