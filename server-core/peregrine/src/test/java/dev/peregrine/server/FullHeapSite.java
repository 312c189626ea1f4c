package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.context.InContext;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.FullHeapAt;
import dev.peregrine.testing.GivenBuffers;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A server on whose threads the heap is full, at each allocation of an exchange in turn. Created by
 * {@link LeasesInFullHeapIT} among the classes that fail.
 */
final class FullHeapSite implements Consumer<String> {
  private static final byte[] CONTENT = Requests.bytes("compress me ".repeat(3_000));
  private static final byte[] HEAD =
      Requests.lines(
          "POST / HTTP/1.1",
          "Host: test",
          "Accept-Encoding: gzip",
          "Content-Length: " + CONTENT.length);

  /** How many allocations fail in a row: one, those of its handling, and more than there are. */
  private static final int[] FAILURES = {1, 3, 8, 1000};

  private static final byte[] LARGE = large();

  private final GivenBuffers buffers = new GivenBuffers();
  private final AtomicInteger retained = new AtomicInteger();

  private Handler handlerOf(String way) {
    return switch (way) {
      case "send" -> this::send;
      case "stream" -> this::stream;
      case "compressed" -> Compression.of(this::send);
      case "compressed stream" -> Compression.of(this::stream);
      case "compressed large" -> Compression.of(this::sendLarge);
      case "compressed large blocking" -> Handlers.blocking(Compression.of(this::sendLarge));
      case "compressed blocking" -> Handlers.blocking(Compression.of(this::send));
      case "blocking compressed large" -> Compression.of(Handlers.blocking(this::sendLarge));
      case "blocking compressed stream" -> Compression.of(Handlers.blocking(this::stream));
      case "published" -> this::publish;
      case "published compressed" -> Compression.of(this::publish);
      case "in a context" -> inContext(this::send);
      case "stream in a context" -> inContext(this::stream);
      case "blocking" -> Handlers.blocking(this::send);
      case "retained" -> this::sendBack;
      default -> throw new IllegalArgumentException(way);
    };
  }

  private static Handler inContext(Handler handler) {
    return (request, response) -> InContext.handle(call -> call.run(), handler, request, response);
  }

  private void send(Request request, Response response) {
    response.contentType(ContentType.TEXT_PLAIN).send(buffers.direct(CONTENT), buffers);
  }

  private void sendLarge(Request request, Response response) {
    response.contentType(ContentType.TEXT_PLAIN).send(buffers.direct(LARGE), buffers);
  }

  private static byte[] large() {
    byte[] digits = new byte[400_000]; // larger than the window of an HTTP/2 stream, compressed too
    Random random = new Random(1);
    for (int i = 0; i < digits.length; i++) {
      digits[i] = (byte) ('0' + random.nextInt(64));
    }
    return digits;
  }

  private void publish(Request request, Response response) {
    response.contentType(ContentType.TEXT_PLAIN).send(new Parts(), buffers);
  }

  private void stream(Request request, Response response) {
    ResponseStream stream = response.contentType(ContentType.TEXT_PLAIN).stream();
    stream.write(buffers.direct(CONTENT), buffers);
    stream.write(buffers.direct(CONTENT), buffers);
    stream.complete();
  }

  private void sendBack(Request request, Response response) {
    ResponseStream stream = response.async().stream();
    request
        .body()
        .receive(
            new BodyListener() {
              @Override
              public void onData(Bytes data) {
                RetainedBytes kept = data.retain();
                int _ = retained.incrementAndGet();
                stream.write(
                    kept.buffer(),
                    sent -> {
                      kept.release(); // throws if it is called twice
                      int _ = retained.decrementAndGet();
                    });
              }

              @Override
              public void onEnd() {
                stream.complete();
              }
            });
  }

  /** Publishes the content in parts, from a thread of its own. */
  private final class Parts implements Flow.Publisher<ByteBuffer> {
    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      ExecutorService publishing = Executors.newSingleThreadExecutor(); // whose heap isn't full
      subscriber.onSubscribe(
          new Flow.Subscription() {
            private int left = 3;

            @Override
            public void request(long count) {
              publishing.execute(
                  () -> {
                    if (left == 0) {
                      subscriber.onComplete();
                      publishing.shutdown();
                    } else {
                      left--;
                      subscriber.onNext(buffers.direct(CONTENT));
                    }
                  });
            }

            @Override
            public void cancel() {
              publishing.shutdown();
            }
          });
    }
  }

  @Override
  public void accept(String way) {
    var builder =
        Peregrine.builder()
            .port(0)
            .loops(1)
            .limits(Servers.LIMITS)
            .transport(Servers.TRANSPORT)
            .handler(handlerOf(way));
    if (Servers.TLS) {
      builder.with(Certificates.TLS);
    }
    try (HttpServer server = builder.start()) {
      use(server); // loads classes
      use(server);
      for (int failures : FAILURES) {
        useInFullHeap(server, failures);
      }
    }
  }

  /** Has allocations fail from each one on in turn. */
  private void useInFullHeap(HttpServer server, int failures) {
    long idleBytes = idleBytes(server);
    int number = -1;
    boolean failed = true;
    while (failed) {
      number++;
      FullHeapAt.plan(number, failures);
      use(server);
      failed = FullHeapAt.end();
      buffers.expectAll();
      Await.until("retained bytes are released", () -> retained.get() == 0);
      Await.until(
          () -> "no memory is in use: " + server.bufferBytesInUse() + " of " + idleBytes,
          () -> idleBytes(server) <= idleBytes);
    }
    assertThat(number).as("allocations that failed").isPositive();
  }

  /** Returns the memory in use without a connection. */
  private static long idleBytes(HttpServer server) {
    Await.until("the connections have ended", () -> server.connectionCount() == 0);
    return server.bufferBytesInUse();
  }

  private static void use(HttpServer server) {
    try (RawClient client = connect(server)) {
      client.send(HEAD).send(CONTENT).read();
    } catch (UncheckedIOException | AssertionError cut) {
      // the exchange has failed
    }
  }

  private static RawClient connect(HttpServer server) {
    if (Servers.HTTP_2) {
      return RawClient.connectByHttp2(server.address(), Servers.TLS, 0);
    }
    return Servers.TLS
        ? RawClient.connectSecured(server.address(), 0)
        : RawClient.connect(server.address());
  }
}
