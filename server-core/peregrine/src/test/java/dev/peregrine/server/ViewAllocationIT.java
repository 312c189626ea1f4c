package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.testing.Allocated;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes that an event loop allocates for a request if a handler of its server blocks. */
final class ViewAllocationIT {
  private static final int REQUESTS = 1_600;

  /** The handler's views of the request and its response. */
  private static final int VIEW_BYTES = 144;

  /** And those of its call, its virtual thread, of which the JDK takes 344, and its steps. */
  private static final int BLOCKING_BYTES = 600;

  /** Slices of the JDK's linker in a turn; see {@link ServedAllocationIT}. */
  private static final int SLICES_BYTES = 120;

  private static final byte[] CONTENT = Requests.bytes("Hello, World!");
  private static final String RESPONSE_END = "\r\n\r\nHello, World!";

  /** Compiling takes as long as the machine needs. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  @RegisterExtension final Servers servers = new Servers();

  private final Handler blocking = Handlers.blocking((request, response) -> response.send(CONTENT));

  private volatile @Nullable Thread loop;

  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void aCarriedHandlerTakesItsThreadAndItsViews(int depth) {
    expectAtMost(BLOCKING_BYTES, depth, Requests.get("/blocking"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void aHandlerOnTheLoopTakesItsViews(int depth) {
    expectAtMost(VIEW_BYTES, depth, Requests.get("/"));
  }

  private void expectAtMost(int bytesMax, int depth, byte[] request) {
    assumeTrue(CarriedThreads.isAvailable(), CarriedThreads::problem);
    HttpServer server =
        servers.start(
            (received, response) -> {
              loop = Thread.currentThread();
              if (received.pathIs("/blocking")) {
                blocking.handle(received, response);
              } else {
                response.send(CONTENT);
              }
            },
            options -> options.loops(1));
    RawClient client = servers.connect(server);
    client.get("/blocking").readUntil(RESPONSE_END);
    int responseBytes = client.send(request).readUntil(RESPONSE_END).length();
    byte[] requests = Requests.join(Collections.nCopies(depth, request).toArray(byte[][]::new));
    Thread serving = Objects.requireNonNull(loop);
    int slices = Servers.TRANSPORT == TransportKind.EPOLL ? REQUESTS / depth * SLICES_BYTES : 0;
    long allowed = (long) REQUESTS * bytesMax + slices;
    long start = System.nanoTime();
    long bytes;
    do {
      long before = Allocated.by(serving);
      for (int i = 0; i < REQUESTS; i += depth) {
        client.send(requests);
        client.readBytes(depth * responseBytes);
      }
      bytes = Allocated.by(serving) - before;
    } while (bytes > allowed && System.nanoTime() - start < PATIENCE_NANOS);
    assertThat(bytes).as("bytes for %s requests", REQUESTS).isLessThanOrEqualTo(allowed);
  }
}
