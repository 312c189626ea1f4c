package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A text that a handler reads allocates its String and the array in it, nothing else. */
final class StringAllocationIT {
  private static final String TEXT = "0123456789".repeat(7);

  /** A String, and an array with its length, both in words of 8 bytes. */
  private static final int STRING_BYTES = 24 + 16 + 72;

  private static final int TEXTS_OF_A_REQUEST = 50;

  @RegisterExtension final Servers servers = new Servers();

  private final AtomicLong least = new AtomicLong(Long.MAX_VALUE);

  /** A text of a request's head. */
  enum Source {
    HEADER {
      @Override
      String read(Request request) {
        return Objects.requireNonNull(request.header("X-Text"));
      }
    },
    PATH {
      @Override
      String read(Request request) {
        return request.path(); // and a slash, in the same word
      }
    },
    SEGMENT {
      @Override
      String read(Request request) {
        return request.pathSegments().segment(0);
      }
    },
    QUERY {
      @Override
      String read(Request request) {
        return Objects.requireNonNull(request.query());
      }
    };

    abstract String read(Request request);
  }

  /** Notes what reading a text allocates, of which the first time may prepare more. */
  private void measure(Supplier<String> text) {
    String read = text.get();
    long before = Allocated.by(Thread.currentThread());
    long between = Allocated.by(Thread.currentThread()); // what that costs itself
    for (int i = 0; i < TEXTS_OF_A_REQUEST; i++) {
      read = text.get();
    }
    long bytes = Allocated.by(Thread.currentThread()) - between - (between - before);
    assertThat(read).contains(TEXT);
    least.setPlain(Math.min(least.getPlain(), bytes / TEXTS_OF_A_REQUEST));
  }

  /** Sends requests until the code is compiled, which alone allocates nothing more. */
  private void awaitOneString(Handler handler) {
    RawClient client = servers.connect(servers.start(handler, options -> options.loops(1)));
    byte[] request =
        Requests.lines(
            "POST /" + TEXT + "?" + TEXT + " HTTP/1.1",
            "Host: localhost",
            "X-Text: " + TEXT,
            "Content-Length: 70");
    byte[] whole = Requests.join(request, Requests.bytes(TEXT));
    Await.until(
        () -> "a text allocates " + least.get() + " bytes",
        () -> {
          for (int i = 0; i < 100; i++) {
            assertThat(client.send(whole).read().status()).isEqualTo(200);
          }
          return least.get() == STRING_BYTES;
        });
  }

  @ParameterizedTest
  @EnumSource
  void readsAHeadWithOneArrayForEachText(Source source) {
    awaitOneString(
        (request, response) -> {
          measure(() -> source.read(request));
          response.text("read");
        });
  }

  @Test
  void readsContentWithOneArrayForItsText() {
    awaitOneString(
        (request, response) ->
            request
                .body()
                .receive(
                    new BodyListener() {
                      @Override
                      public void onData(Bytes data) {
                        measure(data::toString);
                      }

                      @Override
                      public void onEnd() {
                        response.text("read");
                      }
                    }));
  }
}
