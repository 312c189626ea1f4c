package dev.peregrine.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Publishers that misbehave, and clients that vanish: no buffer is kept, and the server serves. */
@Timeout(120)
class SpringBadUseIT {
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(120);
  private static final long IDLE_MAX = 256 * 1024; // what two loops keep to read
  private static final int PIECES = 1000;

  private final CountedBuffers buffers = new CountedBuffers();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch cancelled = new CountDownLatch(1);
  private final Lines lines = new Lines();
  private @Nullable String expectedLine; // a part of the only line in the log; null for none
  private final Sinks.Empty<DataBuffer> untilReceived = Sinks.empty(); // by the client

  @SuppressWarnings("NullAway.Init") // set by start
  private HttpServer server;

  @SuppressWarnings("NullAway.Init")
  private HttpClient client;

  /** Collects what is logged of requests as a warning or an error. */
  private static final class Lines extends Handler {
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord line) {
      String text = line.getMessage();
      boolean isOfMachine =
          text.startsWith("TLS uses a self-signed") || text.contains(" busy for ");
      if (line.getLevel().intValue() >= Level.WARNING.intValue() && !isOfMachine) {
        texts.add(text);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void collectLines() {
    Logger.getLogger("").addHandler(lines);
  }

  private void start(Wire wire, HttpHandler handler) {
    server = wire.start(new PeregrineHttpHandlerAdapter(handler, buffers), Peregrine.builder());
    client = wire.client();
  }

  @AfterEach
  void leaksNothing() {
    long began = System.nanoTime();
    while (buffers.live() != 0 || server.bufferBytesInUse() > IDLE_MAX) {
      assertThat(System.nanoTime() - began)
          .as("%s buffers and %s bytes are kept", buffers.live(), server.bufferBytesInUse())
          .isLessThan(NANOS_MAX);
      Thread.onSpinWait();
    }
    client.shutdownNow();
    server.close(); // ends its threads, and so what they log
    Logger.getLogger("").removeHandler(lines);
    if (expectedLine == null) {
      assertThat(lines.texts).isEmpty();
    } else {
      assertThat(lines.texts).singleElement().asString().contains(expectedLine);
    }
  }

  private DataBuffer buffer(String text) {
    return buffers.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private HttpRequest.Builder request(Wire wire) {
    return HttpRequest.newBuilder(wire.uri(server, "/")).timeout(Duration.ofSeconds(60));
  }

  private HttpResponse<InputStream> get(Wire wire) throws Exception {
    return client.send(request(wire).build(), BodyHandlers.ofInputStream());
  }

  /** Sends a request, and waits until its handler is where it says so. */
  private void sendAndVanish(Wire wire, BodyPublisher content) throws Exception {
    var _ =
        client.sendAsync(
            request(wire)
                .header("Content-Type", "multipart/form-data; boundary=b")
                .POST(content)
                .build(),
            BodyHandlers.ofString());
    assertThat(reached.await(120, TimeUnit.SECONDS)).isTrue();
    client.shutdownNow();
  }

  /** Content that begins, and never ends. */
  private static BodyPublisher unfinished(String begin) {
    Flux<ByteBuffer> first = Flux.just(ByteBuffer.wrap(begin.getBytes(StandardCharsets.UTF_8)));
    return BodyPublishers.fromPublisher(
        JdkFlowAdapter.publisherToFlowPublisher(first.concatWith(Flux.never())));
  }

  // ---- publishers ----

  @ParameterizedTest
  @EnumSource(Wire.class)
  void cancelsAPublisherThatNeverCompletesWithItsClient(Wire wire) throws Exception {
    start(
        wire,
        (request, response) ->
            response.writeWith(
                Flux.concat(Mono.fromSupplier(() -> buffer("first")), Flux.<DataBuffer>never())
                    .doOnCancel(cancelled::countDown)));
    try (InputStream in = get(wire).body()) {
      assertThat(in.readNBytes(5)).asString().isEqualTo("first");
    }
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  /** Emits all of its buffers as soon as there is any demand, and others after a cancellation. */
  private final class Deaf implements Publisher<DataBuffer> {
    private final boolean completes;

    Deaf(boolean completes) {
      this.completes = completes;
    }

    @Override
    public void subscribe(Subscriber<? super DataBuffer> target) {
      target.onSubscribe(
          new Subscription() {
            private boolean began;

            @Override
            public void request(long n) {
              if (!began) {
                began = true;
                Thread.ofVirtual().start(() -> emit(target, completes));
              }
            }

            @Override
            public void cancel() {
              Thread.ofVirtual()
                  .start(
                      () -> {
                        emit(target, true);
                        cancelled.countDown();
                      });
            }
          });
    }

    private void emit(Subscriber<? super DataBuffer> target, boolean ends) {
      for (int index = 0; index < PIECES; index++) {
        target.onNext(buffer("x"));
      }
      if (ends) {
        target.onComplete();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void sendsAllOfAPublisherThatIgnoresDemand(Wire wire) throws Exception {
    start(wire, (request, response) -> response.writeWith(new Deaf(true)));
    try (InputStream in = get(wire).body()) {
      assertThat(in.readAllBytes()).hasSize(PIECES);
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void releasesWhatAPublisherEmitsAfterItsCancellation(Wire wire) throws Exception {
    start(wire, (request, response) -> response.writeWith(new Deaf(false)));
    try (InputStream in = get(wire).body()) {
      assertThat(in.readNBytes(PIECES)).hasSize(PIECES);
    }
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(buffers.made()).isGreaterThanOrEqualTo(2 * PIECES);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void answersAPublisherThatThrowsWhenItIsSubscribed(Wire wire) throws Exception {
    Publisher<DataBuffer> broken =
        target -> {
          throw new IllegalStateException("no subscribers");
        };
    start(wire, (request, response) -> response.writeWith(broken));
    assertThat(get(wire).statusCode()).isEqualTo(500);
    expectedLine = "handler failed: GET /";
  }

  // ---- failures ----

  private Mono<Void> breaks(ServerHttpResponse response) {
    return response.writeWith(
        Flux.concat(
            Mono.fromSupplier(() -> buffer("first")),
            untilReceived.asMono(),
            Mono.error(new IllegalStateException("torn"))));
  }

  private void breakOff(Wire wire, HttpHandler handler) throws Exception {
    start(wire, handler);
    try (InputStream in = get(wire).body()) {
      assertThat(in.readNBytes(5)).asString().isEqualTo("first");
      untilReceived.tryEmitEmpty();
      assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void logsAFailureAfterTheHeadOnce(Wire wire) throws Exception {
    WebHandler application = exchange -> breaks(exchange.getResponse());
    HttpHandler handler = WebHttpHandlerBuilder.webHandler(application).build();
    breakOff(wire, handler);
    expectedLine = "Error [java.lang.IllegalStateException: torn]";
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void logsAFailureThatSpringHasNotLogged(Wire wire) throws Exception {
    breakOff(wire, (request, response) -> breaks(response));
    expectedLine = "handler failed: GET /";
  }

  // ---- clients that vanish ----

  @ParameterizedTest
  @EnumSource(Wire.class)
  void cancelsAHandlerThatWaits(Wire wire) throws Exception {
    start(
        wire,
        (request, response) ->
            Mono.<Void>never()
                .doOnSubscribe(waits -> reached.countDown())
                .doOnCancel(cancelled::countDown));
    sendAndVanish(wire, BodyPublishers.noBody());
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void releasesContentThatWaitsForDemand(Wire wire) throws Exception {
    start(
        wire,
        (request, response) ->
            request
                .getBody()
                .doOnNext(DataBufferUtils::release)
                .doOnNext(first -> reached.countDown())
                .doOnCancel(cancelled::countDown)
                .doOnError(gone -> cancelled.countDown())
                .limitRate(1)
                .concatMap(first -> Mono.<Void>never(), 1)
                .then());
    sendAndVanish(wire, unfinished("x".repeat(200_000)));
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void releasesAFormThatIsNotComplete(Wire wire) throws Exception {
    WebHandler application =
        exchange -> {
          return exchange
              .getMultipartData()
              .doOnSubscribe(begins -> reached.countDown())
              .doOnCancel(cancelled::countDown)
              .doOnError(gone -> cancelled.countDown())
              .then();
        };
    start(wire, WebHttpHandlerBuilder.webHandler(application).build());
    String begin =
        """
        --b
        Content-Disposition: form-data; name="title"

        Falcons
        --b
        Content-Disposition: form-data; name="file"; filename="a.bin"
        Content-Type: application/octet-stream

        """;
    sendAndVanish(wire, unfinished(begin.replace("\n", "\r\n") + "x".repeat(100_000)));
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void releasesAnEchoOnItsWay(Wire wire) throws Exception {
    start(
        wire,
        (request, response) ->
            response.writeWith(
                request
                    .getBody()
                    .doOnNext(piece -> reached.countDown())
                    .doOnCancel(cancelled::countDown)
                    .doOnError(gone -> cancelled.countDown())));
    sendAndVanish(wire, unfinished("x".repeat(3_000_000)));
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void cancelsEventsThatAreIdle(Wire wire) throws Exception {
    Sinks.Many<DataBuffer> news = Sinks.many().unicast().onBackpressureBuffer();
    start(
        wire,
        (request, response) ->
            response.writeAndFlushWith(
                news.asFlux().map(Mono::just).doOnCancel(cancelled::countDown)));
    news.tryEmitNext(buffer("first"));
    InputStream in = get(wire).body();
    assertThat(in.readNBytes(5)).asString().isEqualTo("first");
    client.shutdownNow();
    assertThat(cancelled.await(120, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void respondsToARequestWhoseContentIsNeverRead(Wire wire) throws Exception {
    start(
        wire,
        (request, response) -> {
          reached.countDown();
          return response.writeWith(Mono.fromSupplier(() -> buffer("done")));
        });
    sendAndVanish(wire, unfinished("x".repeat(100_000)));
    client = wire.client();
    try (InputStream in = get(wire).body()) {
      assertThat(in.readAllBytes()).asString().isEqualTo("done");
    }
  }
}
