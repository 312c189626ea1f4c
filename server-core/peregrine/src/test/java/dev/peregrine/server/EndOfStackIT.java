package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Blocking handlers that respond near the end of their stack and catch what that throws: the client
 * gets a response or the end of the stream, at whatever depth the server's code was broken off.
 */
final class EndOfStackIT {
  private static final byte[] CONTENT = Requests.content(3000);
  private static final String TEXT_CONTENT = "text";
  private static final int FRAMES_MAX = 200; // by which a stack is unwound before the response
  private static final int FRAMES_STEP = 1;

  @RegisterExtension final Servers servers = new Servers();

  /** A way to send all of a response. */
  enum Way {
    ARRAY(response -> response.send(CONTENT)),
    BUFFER(response -> response.send(ByteBuffer.wrap(CONTENT))),
    TEXT(response -> response.text(TEXT_CONTENT)),
    STREAM(response -> response.stream().write(CONTENT).complete()),
    OUTPUT_STREAM(
        response -> {
          try (OutputStream out = response.outputStream()) {
            out.write(CONTENT);
          }
        }),
    FAILURE(response -> response.fail(new IllegalArgumentException("intended")));

    @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
    private final Step step;

    Way(Step step) {
      this.step = step;
    }

    /** Returns each content that is a complete response. */
    List<byte[]> complete() {
      return switch (this) {
        case TEXT -> List.of(Requests.bytes(TEXT_CONTENT));
        // Without the content if the call of write was broken off before its first step.
        case STREAM, OUTPUT_STREAM -> List.of(CONTENT, new byte[0]);
        default -> List.of(CONTENT);
      };
    }
  }

  @FunctionalInterface
  private interface Step {
    void run(Response response) throws Exception;
  }

  @ParameterizedTest
  @EnumSource
  void leavesNoClientOfABlockingHandlerWaiting(Way way) {
    int[] frames = {0};
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  int ignored = new Descent(way, response, frames[0]).down();
                }),
            options -> options.loops(1));
    for (; frames[0] < FRAMES_MAX; frames[0] += FRAMES_STEP) {
      try (RawClient client = servers.connect(server).get("/")) {
        expectAnswerOrEnd(client, way);
      }
    }
    servers.log().take(Level.ALL); // failures of some depths, and of others nothing
  }

  private static void expectAnswerOrEnd(RawClient client, Way way) {
    try {
      RawResponse answer = client.read();
      assertThat(answer.status()).isIn(200, 500);
      if (answer.status() == 200) {
        assertThat(answer.content()).isIn(way.complete());
      }
    } catch (UncheckedIOException cut) {
      assertThat(cut.getCause()).isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  /** Goes down to the end of the stack, back up by some frames, and responds there. */
  private static final class Descent {
    private final Way way;
    private final Response response;
    private int framesLeft;
    private boolean ended;

    Descent(Way way, Response response, int frames) {
      this.way = way;
      this.response = response;
      this.framesLeft = frames;
    }

    /** Returns a number, so that it isn't compiled to a loop. */
    @SuppressWarnings("InfiniteRecursion") // it is to end by the end of the stack
    int down() {
      try {
        return down() + 1;
      } catch (StackOverflowError end) {
        if (framesLeft > 0) {
          framesLeft--;
          throw end;
        }
      }
      respondOnce();
      return 0;
    }

    private void respondOnce() {
      if (ended) {
        return;
      }
      ended = true;
      try {
        way.step.run(response);
      } catch (Throwable caught) {
        // as handlers do that go on whatever happens
      }
    }
  }
}
