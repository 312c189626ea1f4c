package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.server.testing.TestRequest;
import dev.peregrine.testing.GivenBuffers;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buffers that the application gets back once their bytes have gone. */
final class LeasedContentIT {
  private static final int RECEIVE_BUFFER_BYTES = 4 * 1024;
  private static final byte[] LONG = Requests.content(6_000_000);

  @RegisterExtension final Servers servers = new Servers();

  private final GivenBuffers buffers = new GivenBuffers();

  @AfterEach
  void givesEachBufferBackOnce() {
    buffers.expectAll();
  }

  private RawClient get(Handler handler) {
    return servers.connect(servers.start(handler), RECEIVE_BUFFER_BYTES).get("/");
  }

  /** The memory of a buffer. */
  enum Memory {
    DIRECT,
    HEAP,
    SLICE_OF_HEAP,
    READ_ONLY,
    SHARED_ARENA;

    ByteBuffer of(byte[] content) {
      return switch (this) {
        case DIRECT -> ByteBuffer.allocateDirect(content.length).put(content).flip();
        case HEAP -> ByteBuffer.wrap(content.clone());
        case SLICE_OF_HEAP ->
            ByteBuffer.allocate(content.length + 7).position(7).slice().put(content).flip();
        case READ_ONLY -> ByteBuffer.wrap(content.clone()).asReadOnlyBuffer();
        case SHARED_ARENA ->
            Arena.ofShared().allocate(content.length).asByteBuffer().put(content).flip();
      };
    }
  }

  @ParameterizedTest
  @EnumSource(names = "READ_ONLY", mode = EnumSource.Mode.EXCLUDE)
  void sendsAllBytesBeforeTheBufferIsUsedAgain(Memory memory) {
    for (int length : new int[] {0, 1, 1024, 16 * 1024, 16 * 1024 + 1, 300_000, LONG.length}) {
      byte[] content = Requests.content(length);

      RawClient client = get((request, response) -> response.send(own(memory, content), buffers));

      assertThat(client.read().content()).isEqualTo(content);
      buffers.expectAllOnLoops();
    }
  }

  private ByteBuffer own(Memory memory, byte[] content) {
    return buffers.own(memory.of(content));
  }

  /** The ways in which a handler sends content. */
  enum How {
    WHOLE,
    FROM_A_THREAD,
    BLOCKING,
    STREAM,
    STREAM_WITH_LENGTH,
    STREAM_FROM_A_THREAD,
    STREAM_WITH_LENGTH_FROM_A_THREAD,
    PUBLISHER;

    Handler handler(GivenBuffers buffers, byte[] content) {
      return switch (this) {
        case WHOLE -> (request, response) -> response.send(buffers.direct(content), buffers);
        case FROM_A_THREAD ->
            (request, response) -> {
              response.async();
              onThread(() -> response.send(buffers.direct(content), buffers));
            };
        case BLOCKING ->
            Handlers.blocking(
                (request, response) -> response.send(buffers.direct(content), buffers));
        case STREAM -> (request, response) -> stream(response.stream(), buffers, content);
        case STREAM_WITH_LENGTH ->
            (request, response) ->
                stream(response.contentLength(content.length).stream(), buffers, content);
        case STREAM_FROM_A_THREAD ->
            (request, response) -> {
              ResponseStream stream = response.async().stream();
              onThread(() -> stream(stream, buffers, content));
            };
        case STREAM_WITH_LENGTH_FROM_A_THREAD ->
            (request, response) -> {
              ResponseStream stream = response.async().contentLength(content.length).stream();
              onThread(() -> stream(stream, buffers, content));
            };
        case PUBLISHER ->
            (request, response) -> {
              SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
              response.send(publisher, buffers);
              onThread(
                  () -> {
                    parts(content).forEach(part -> publisher.submit(buffers.direct(part)));
                    publisher.close();
                  });
            };
      };
    }

    private static void onThread(Runnable work) {
      Thread.ofPlatform().daemon().start(work);
    }

    private static List<byte[]> parts(byte[] content) {
      int half = content.length / 2;
      return List.of(
          Arrays.copyOf(content, half),
          new byte[0],
          Arrays.copyOfRange(content, half, content.length));
    }

    private static void stream(ResponseStream stream, GivenBuffers buffers, byte[] content) {
      parts(content).forEach(part -> stream.write(buffers.direct(part), buffers));
      stream.complete();
    }
  }

  @ParameterizedTest
  @EnumSource
  void givesBuffersBackHoweverTheyAreSent(How how) {
    for (int length : new int[] {100, 100_000, LONG.length}) {
      byte[] content = Requests.content(length);

      RawClient client = get(how.handler(buffers, content));

      assertThat(client.read().content()).isEqualTo(content);
      buffers.expectAllOnLoops();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "PUBLISHER", mode = EnumSource.Mode.EXCLUDE) // it keeps its own queue
  void givesBuffersBackIfTheClientGoes(How how) {
    RawClient client = get(how.handler(buffers, LONG));
    client.readBytes(100);

    client.reset();

    buffers.expectAll();
  }

  @ParameterizedTest
  @EnumSource(names = "PUBLISHER", mode = EnumSource.Mode.EXCLUDE)
  void givesBuffersBackWithoutContent(How how) {
    HttpServer server = servers.start(how.handler(buffers, Requests.content(100_000)));

    RawClient client = servers.connect(server).send(Requests.head("/"));

    assertThat(client.read("HEAD").status()).isEqualTo(200);
    buffers.expectAllOnLoops();
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void givesABufferBackThatTheStatusExcludes(int status) {
    RawClient client =
        get((request, response) -> response.status(status).send(buffers.direct(LONG), buffers));

    assertThat(client.read().status()).isEqualTo(status);
    buffers.expectAllOnLoops();
  }

  @Test
  void keepsABufferUntilTheClientHasTakenIt() {
    byte[] more = new byte[SystemBuffers.MORE_BYTES];
    HttpServer server =
        servers.start(
            (request, response) -> {
              boolean isLong = request.path().equals("/long");
              response.send(buffers.direct(isLong ? more : Requests.bytes("short")), buffers);
            },
            options -> options.loops(1));
    RawClient slow = servers.connect(server, RECEIVE_BUFFER_BYTES).get("/long");
    slow.readBytes(1);

    for (int i = 1; i <= 3; i++) {
      assertThat(servers.connect(server).get("/").read().text()).isEqualTo("short");
    }

    assertThat(buffers.count()).isLessThanOrEqualTo(3); // of the short ones
    slow.reset();
  }

  @Test
  void givesABufferBackThatCannotBeSent() {
    RawClient client =
        get(
            (request, response) -> {
              response.send(buffers.direct(Requests.bytes("first")), buffers);
              assertThatThrownBy(() -> response.send(buffers.direct(LONG), buffers))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage("the response has been sent already");
            });

    assertThat(client.read().text()).isEqualTo("first");
    buffers.expectAllOnLoops();
  }

  @Test
  void givesABufferBackOfTheWrongLength() {
    RawClient client =
        get(
            (request, response) ->
                response.contentLength(3).send(buffers.direct(Requests.bytes("four")), buffers));

    assertThat(client.read().status()).isEqualTo(500);
    buffers.expectAllOnLoops();
    servers.log().expectOne(Level.SEVERE, "GET");
  }

  @Test
  void givesABufferBackOfAResponseThatIsOver() throws Exception {
    CompletableFuture<Response> kept = new CompletableFuture<>();
    RawClient client =
        get(
            (request, response) -> {
              kept.complete(response.async());
              response.text("over");
            });
    assertThat(client.read().text()).isEqualTo("over");

    assertThatThrownBy(() -> kept.get().send(buffers.direct(LONG), buffers))
        .isInstanceOf(IllegalStateException.class);

    buffers.expectAllOnLoops();
  }

  @Test
  void givesBuffersBackIfTheHandlerThrowsAfterwards() {
    RawClient client =
        get(
            (request, response) -> {
              response.stream().write(buffers.direct(LONG), buffers);
              throw new IllegalStateException("afterwards");
            });

    client.expectCutShort();
    buffers.expectAllOnLoops();
    servers.log().expectOne(Level.SEVERE, "GET");
  }

  @Test
  void givesABufferBackWhenTheServerIsClosed() {
    HttpServer server =
        servers.start((request, response) -> response.send(buffers.direct(LONG), buffers));
    servers.connect(server, RECEIVE_BUFFER_BYTES).get("/").readBytes(1);

    server.close();

    buffers.expectAll();
  }

  @Test
  void logsAFailureOfTheOwnerAndServesOn() {
    AtomicInteger calls = new AtomicInteger();
    RawClient client =
        get(
            (request, response) ->
                response.send(
                    buffers.direct(Requests.bytes("content")),
                    buffer -> {
                      buffers.accept(buffer);
                      if (calls.incrementAndGet() == 1) {
                        throw new AssertionError("the owner fails");
                      }
                    }));
    assertThat(client.read().text()).isEqualTo("content");
    buffers.expectAllOnLoops();
    servers.log().expectOne(Level.SEVERE, "a callback for sent content failed");

    assertThat(client.get("/").read().text()).isEqualTo("content");
  }

  @Test
  void anOwnerMaySendAgainAnyNumberOfTimes() {
    int parts = 20_000;
    RawClient client =
        get((request, response) -> sendAgain(response.async().stream(), new AtomicInteger(parts)));

    assertThat(client.read().text()).isEqualTo("x".repeat(parts));
  }

  private void sendAgain(ResponseStream stream, AtomicInteger left) {
    if (left.getAndDecrement() == 0) {
      stream.complete();
      return;
    }
    stream.write(
        buffers.direct(Requests.bytes("x")),
        buffer -> {
          buffers.accept(buffer);
          sendAgain(stream, left);
        });
  }

  /** The loop may call back before the call of the thread has returned. */
  @Test
  void anOwnerOnTheLoopAndAThreadMaySendInTurns() {
    int parts = 20_000;
    RawClient client =
        get(
            (request, response) -> {
              ResponseStream stream = response.async().stream();
              How.onThread(() -> sendInTurns(stream, parts, new Semaphore(1)));
            });

    assertThat(client.read().text()).isEqualTo("x".repeat(parts));
  }

  private void sendInTurns(ResponseStream stream, int parts, Semaphore isTurn) {
    for (int i = 0; i < parts; i += 2) {
      isTurn.acquireUninterruptibly();
      stream.write(
          buffers.direct(Requests.bytes("x")),
          first -> {
            buffers.accept(first);
            stream.write(
                buffers.direct(Requests.bytes("x")),
                second -> {
                  buffers.accept(second);
                  isTurn.release();
                });
          });
    }
    isTurn.acquireUninterruptibly();
    stream.complete();
  }

  @Test
  void servesTheConnectionAgainOnceAnOwnerHasStoppedBlocking() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.path().equals("/blocks")) {
                response.send(
                    buffers.direct(Requests.bytes("blocks")),
                    buffer -> {
                      buffers.accept(buffer);
                      blocked.countDown();
                      await(released);
                    });
              } else {
                response.text("served");
              }
            });
    RawClient client = servers.connect(server).get("/blocks");
    assertThat(client.read().text()).isEqualTo("blocks");
    blocked.await();

    released.countDown();

    assertThat(client.get("/").read().text()).isEqualTo("served");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 5_000, 300_000})
  void givesBuffersBackThroughCompression(int length) throws IOException {
    byte[] content = Requests.bytes("compress me ".repeat(length / 12));
    HttpServer server =
        servers.start(
            Compression.of(
                (request, response) ->
                    response
                        .contentType(ContentType.TEXT_PLAIN)
                        .send(buffers.direct(content), buffers)));

    RawClient plain = servers.connect(server).get("/");
    assertThat(plain.read().content()).isEqualTo(content);
    RawClient client =
        servers
            .connect(server)
            .send("GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");
    byte[] received = client.read().content();

    assertThat(length < 1024 ? received : unzip(received)).isEqualTo(content);
    buffers.expectAllOnLoops();
  }

  @Test
  void givesTheBuffersOfACompressedStreamBack() throws IOException {
    byte[] content = Requests.bytes("compress me ".repeat(20_000));
    Handler stream =
        (request, response) ->
            How.stream(response.contentType(ContentType.TEXT_PLAIN).stream(), buffers, content);
    HttpServer server = servers.start(Compression.of(stream));

    RawClient client =
        servers
            .connect(server)
            .send("GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");

    assertThat(unzip(client.read().content())).isEqualTo(content);
    buffers.expectAllOnLoops();
  }

  private static byte[] unzip(byte[] content) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(content)).readAllBytes();
  }

  @Test
  void givesBuffersBackThatAPublisherEmitsTooLate() {
    CompletableFuture<Flow.Subscriber<? super ByteBuffer>> subscribed = new CompletableFuture<>();
    RawClient client =
        get(
            (request, response) ->
                response.send(
                    subscriber -> {
                      subscriber.onSubscribe(
                          new Flow.Subscription() {
                            @Override
                            public void request(long count) {
                              subscribed.complete(subscriber);
                            }

                            @Override
                            public void cancel() {}
                          });
                    },
                    buffers));
    Flow.Subscriber<? super ByteBuffer> subscriber = subscribed.join();
    subscriber.onNext(buffers.direct(Requests.bytes("once")));
    subscriber.onComplete();
    assertThat(client.read().text()).isEqualTo("once");

    subscriber.onNext(buffers.direct(LONG));
  }

  @Test
  @Tag("http1")
  void givesBuffersBackInMemory() throws Exception {
    Handler handler = (request, response) -> response.send(buffers.direct(LONG), buffers);

    assertThat(TestRequest.get("/").send(handler).content()).isEqualTo(LONG);
  }
}
