package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Content that blocking handlers write to streams, whose buffers serve one response after another.
 */
final class BlockingOutputIT {
  private static final int LONG = 4_000_000;
  private static final int PIECE = 1000;

  @RegisterExtension final Servers servers = new Servers();

  private static byte[] content(int length, int seed) {
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) seed);
    return content;
  }

  private static void write(OutputStream out, byte[] content) throws IOException {
    for (int from = 0; from < content.length; from += PIECE) {
      out.write(content, from, Math.min(PIECE, content.length - from));
    }
  }

  /** Sends the length and the byte that the path names. */
  private static void sendNamed(Request request, Response response) throws IOException {
    String[] names = request.path().split("/", -1);
    try (OutputStream out = response.outputStream()) {
      write(out, content(Integer.parseInt(names[1]), Integer.parseInt(names[2])));
    }
  }

  @Test
  void sendsTheContentOfEachOfManyResponsesAtOnce() {
    HttpServer server =
        servers.start(Handlers.blocking(BlockingOutputIT::sendNamed), options -> options.loops(2));
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      clients.add(servers.connect(server));
    }

    int seed = 0;
    for (int length : new int[] {0, 1, PIECE, 16_384, 16_385, 50_000, 500_000}) {
      for (RawClient client : clients) {
        client.get("/" + length + "/" + ++seed);
      }
      seed -= clients.size();
      for (RawClient client : clients) {
        assertThat(client.read().content()).isEqualTo(content(length, ++seed));
      }
    }
  }

  @Test
  void aLongResponseAllocatesLittleOfItsLength() {
    byte[] content = content(LONG, 'x');
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    Handler handler =
        (request, response) -> {
          response.async();
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    long before = Allocated.by(Thread.currentThread());
                    try (OutputStream out = response.outputStream()) {
                      write(out, content);
                    } catch (IOException lost) {
                      throw new IllegalStateException(lost);
                    }
                    long allocated = Allocated.by(Thread.currentThread()) - before;
                    least.accumulateAndGet(allocated, Math::min);
                  });
        };
    RawClient client = servers.connect(servers.start(handler));

    Await.until(
        () -> "a response allocates " + least.get() + " bytes",
        () -> {
          assertThat(client.get("/").read().content()).hasSize(LONG);
          return least.get() < LONG / 10;
        });
  }

  @Test
  void aSecondThreadCannotUseTheBufferOfAStream() {
    CompletableFuture<OutputStream> opened = new CompletableFuture<>();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) -> {
                  OutputStream out = response.outputStream();
                  opened.complete(out);
                  try {
                    out.write(content(5 * LONG, 'x')); // waits for the client
                  } finally {
                    ended.complete(null);
                  }
                }));
    RawClient slow = servers.connect(server, 4 * 1024).get("/");
    assertThat(slow.readBytes(PIECE)).hasSize(PIECE); // so the handler writes
    OutputStream out = opened.join();
    String message = "an earlier write to this stream has thrown, or hasn't returned";

    assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class).hasMessage(message);
    assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessage(message);

    slow.reset();
    ended.join();
    servers.log().take(Level.INFO);
  }
}
