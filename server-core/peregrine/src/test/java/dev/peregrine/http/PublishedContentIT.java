package dev.peregrine.http;

import static dev.peregrine.http.TestPublisher.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.coding.Compression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.RawResponse.Framing;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses whose content a publisher emits. {@link FailingPublisherIT} has the failures. */
final class PublishedContentIT {
  private static final int RECEIVE_BUFFER_BYTES = 4 * 1024;
  private static final String GET_GZIP =
      "GET / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n";

  @RegisterExtension final Servers servers = new Servers();

  private RawClient get(Flow.Publisher<ByteBuffer> publisher) {
    return servers.connect(servers.start((request, response) -> response.send(publisher))).get("/");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1_000_000})
  void sendsWhatIsEmittedWithinTheRequest(int count) {
    RawResponse response = get(TestPublisher.repeating(bytes("x"), count)).read();

    assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
    assertThat(response.text()).isEqualTo("x".repeat(count));
  }

  @Test
  void sendsNothingOfAPublisherThatCompletesAtOnce() {
    RawClient client = get(new TestPublisher(Flow.Subscriber::onComplete));

    assertThat(client.read().text()).isEmpty();
    assertThat(client.get("/").read().text()).isEmpty(); // the connection persists
  }

  @Test
  void sendsWhatIsEmittedOnOtherThreads() {
    HttpServer server =
        servers.start(
            (request, response) -> {
              SubmissionPublisher<ByteBuffer> publisher = new SubmissionPublisher<>();
              response.contentLength(200_000).send(publisher);
              Thread.ofVirtual().start(() -> publish(publisher));
            });
    RawClient client = servers.connect(server);

    for (int round = 0; round < 3; round++) {
      RawResponse response = client.get("/").read();
      assertThat(response.framing()).isEqualTo(Framing.LENGTH);
      for (int i = 0; i < 100; i++) {
        assertThat(response.content()[i * 2_000]).isEqualTo((byte) ('a' + i % 26));
      }
    }
  }

  private static void publish(SubmissionPublisher<ByteBuffer> publisher) {
    for (int i = 0; i < 100; i++) {
      publisher.submit(bytes((char) ('a' + i % 26) + "-".repeat(1_999)));
    }
    publisher.close();
  }

  @Test
  void keepsSignalsOfSeveralThreadsInOrder() {
    AtomicInteger next = new AtomicInteger();
    TestPublisher publisher =
        new TestPublisher(
            subscriber -> {
              int i = next.getAndIncrement();
              Runnable signal =
                  i == 100 ? subscriber::onComplete : () -> subscriber.onNext(bytes(i + " "));
              if (i % 2 == 0) {
                signal.run(); // on the event loop
              } else {
                Thread.ofVirtual().start(signal);
              }
            });

    String[] numbers = get(publisher).read().text().split(" ", -1);

    assertThat(numbers).hasSize(101);
    for (int i = 0; i < 100; i++) {
      assertThat(numbers[i]).isEqualTo("" + i);
    }
  }

  @Test
  void letsThePublisherMoveAWindowOverOneBuffer() {
    ByteBuffer window = bytes("abcdef");
    AtomicInteger next = new AtomicInteger();
    TestPublisher publisher =
        new TestPublisher(
            subscriber -> {
              int i = next.getAndIncrement();
              if (i == 3) {
                subscriber.onComplete();
              } else {
                subscriber.onNext(window.limit(2 * i + 2).position(2 * i));
                assertThat(window.remaining()).isEqualTo(2);
                window.clear();
              }
            });

    assertThat(get(publisher).read().text()).isEqualTo("abcdef");
  }

  @Test
  void ignoresEmptyBuffers() {
    AtomicInteger next = new AtomicInteger();
    TestPublisher publisher =
        new TestPublisher(
            subscriber -> {
              switch (next.getAndIncrement()) {
                case 0, 2 -> subscriber.onNext(bytes(""));
                case 1 -> subscriber.onNext(bytes("text"));
                default -> subscriber.onComplete();
              }
            });

    RawResponse response = get(publisher).read();

    assertThat(response.text()).isEqualTo("text");
    assertThat(response.chunks()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendsAHugeBuffer(boolean direct) {
    byte[] content = Requests.content(5_000_000);
    ByteBuffer huge =
        direct
            ? ByteBuffer.allocateDirect(content.length).put(content).flip()
            : ByteBuffer.wrap(content);

    assertThat(get(TestPublisher.repeating(huge, 1)).read().content()).isEqualTo(content);
  }

  @Test
  void sendsTheContentOfTheRequestBack() {
    byte[] content = Requests.content(6_000_000);
    HttpServer server =
        servers.start((request, response) -> response.send(request.body().publisher()));
    RawClient client = servers.connect(server, RECEIVE_BUFFER_BYTES);

    var sent = client.sendMeanwhile(Requests.chunkedPost("/", content, 30_000));

    assertThat(client.read().content()).isEqualTo(content);
    sent.join();
  }

  @Test
  void sendsWhatWasEmittedThoughNothingFollowsIt() {
    TestPublisher publisher = TestPublisher.silent();
    RawClient client = get(publisher);

    publisher.subscriber().onNext(bytes("first"));
    client.readUntil("\r\n\r\n");
    assertThat(client.readUntil("first\r\n")).isEqualTo("5\r\nfirst\r\n");
    publisher.subscriber().onComplete();
    assertThat(client.readUntil("\r\n\r\n")).isEqualTo("0\r\n\r\n");
  }

  // ---- back-pressure ----

  @Test
  void requestsNoMoreThanASlowClientTakes() {
    TestPublisher publisher = TestPublisher.endless();
    HttpServer server = servers.start((request, response) -> response.send(publisher));
    long idle = server.bufferBytesInUse();
    RawClient client = servers.connect(server, RECEIVE_BUFFER_BYTES).get("/");

    int atRest = awaitRest(publisher);
    // Unsent bytes take a few blocks: the high-water mark and one buffer more, rounded up.
    // Between two turns, because each turn takes further blocks.
    Await.until("little is held", () -> server.bufferBytesInUse() - idle < 512 * 1024);
    while (publisher.requests.get() == atRest) {
      client.readBytes(100_000);
    }
    awaitRest(publisher);
    Await.until("little is held again", () -> server.bufferBytesInUse() - idle < 512 * 1024);

    client.reset();
    publisher.cancelled.join();
  }

  /** Waits until the server requests no more buffers; returns the number of requests. */
  private static int awaitRest(TestPublisher publisher) {
    int[] seen = {-1, 0};
    Await.until(
        "the publisher waits",
        () -> {
          int requests = publisher.requests.get();
          seen[1] = requests == seen[0] ? seen[1] + 1 : 0;
          seen[0] = requests;
          return requests > 0 && seen[1] > 200;
        });
    return seen[0];
  }

  @Test
  void leavesOtherClientsOfTheLoopTheirTurns() {
    TestPublisher endless = TestPublisher.repeating(bytes("x"), Integer.MAX_VALUE);
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/endless")) {
                response.send(endless);
              } else {
                response.text("small");
              }
            },
            options -> options.loops(1));
    RawClient reader = servers.connect(server).get("/endless");
    // Not virtual: a socket whose poller sleeps in epoll_wait can stay open after its close.
    Thread.ofPlatform().daemon().start(reader::expectClosed);

    RawClient other = servers.connect(server);
    for (int i = 0; i < 20; i++) {
      int before = endless.requests.get();
      assertThat(other.get("/").read().text()).isEqualTo("small");
      Await.until("the endless response goes on", () -> endless.requests.get() > before);
    }

    reader.reset();
    endless.cancelled.join();
  }

  // ---- responses without content ----

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sendsTheHeadAloneOfAnEndlessResponse(boolean compressed) {
    TestPublisher publisher = TestPublisher.endless();
    Handler handler =
        (request, response) -> response.contentType(ContentType.TEXT_PLAIN).send(publisher);
    HttpServer server = servers.start(compressed ? Compression.of(handler) : handler);
    RawClient client = servers.connect(server);

    client.send("HEAD / HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");

    assertThat(client.read("HEAD").status()).isEqualTo(200);
    publisher.cancelled.join();
    assertThat(publisher.requests).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void sendsTheHeadAloneIfTheStatusHasNoContent(int status) {
    TestPublisher publisher = TestPublisher.endless();
    HttpServer server =
        servers.start((request, response) -> response.status(status).send(publisher));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(status);
    publisher.cancelled.join();
    assertThat(publisher.requests).hasValue(1);
  }

  @Test
  void sendsTheDeclaredLengthInAResponseToHead() {
    TestPublisher publisher = TestPublisher.repeating(bytes("abc"), 2);
    HttpServer server =
        servers.start((request, response) -> response.contentLength(6).send(publisher));

    RawClient client = servers.connect(server).send(Requests.head("/"));

    assertThat(client.read("HEAD").header("Content-Length")).isEqualTo("6");
    publisher.cancelled.join();
  }

  // ---- with other handlers ----

  /** Handlers around one that sends by a publisher. */
  enum Around {
    NOTHING,
    BLOCKING,
    COMPRESSION,
    BLOCKING_COMPRESSION,
    COMPRESSION_BLOCKING;

    Handler handler(Handler inner) {
      return switch (this) {
        case NOTHING -> inner;
        case BLOCKING -> Handlers.blocking(inner);
        case COMPRESSION -> Compression.of(inner);
        case BLOCKING_COMPRESSION -> Handlers.blocking(Compression.of(inner));
        case COMPRESSION_BLOCKING -> Compression.of(Handlers.blocking(inner));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void sendsWhatIsEmittedAfterTheHandlerHasReturned(Around around) throws Exception {
    TestPublisher publisher = TestPublisher.silent();
    CompletableFuture<Thread> runs = new CompletableFuture<>();
    HttpServer server =
        servers.start(
            around.handler(
                (request, response) -> {
                  response.contentType(ContentType.TEXT_PLAIN).send(publisher);
                  runs.complete(Thread.currentThread());
                }));
    RawClient client = servers.connect(server).send(GET_GZIP);
    Thread handler = runs.join();
    if (handler.isVirtual()) {
      handler.join();
    }

    publisher.subscriber().onNext(bytes("x".repeat(10_000)));
    publisher.subscriber().onComplete();

    assertThat(text(client.read())).isEqualTo("x".repeat(10_000));
  }

  private static String text(RawResponse response) throws IOException {
    if (response.header("Content-Encoding") == null) {
      return response.text();
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.content()))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void compressesWhatIsEmittedWithoutHoldingItBack() {
    TestPublisher publisher = TestPublisher.silent();
    HttpServer server =
        servers.start(
            Compression.of(
                (request, response) ->
                    response.contentType(ContentType.TEXT_PLAIN).send(publisher)));
    RawClient client = servers.connect(server).send(GET_GZIP);

    publisher.subscriber().onNext(bytes("first"));
    assertThat(client.readUntil("\r\n\r\n")).contains("Content-Encoding: gzip");
    client.readUntil("\0\0\u00ff\u00ff"); // the end of a flush (RFC 1951 section 3.2.4)

    publisher.subscriber().onComplete();
    client.readUntil("\r\n0\r\n\r\n");
  }
}
