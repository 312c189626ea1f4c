package dev.peregrine.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.SystemBuffers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of Reactive Streams 1.0.4 that concern a publisher, by their numbers. */
final class BodyPublisherIT {
  /** Records its signals, and fails if two signals overlap. */
  private static class Recorder implements Flow.Subscriber<ByteBuffer> {
    final BlockingQueue<String> signals = new LinkedBlockingQueue<>();
    final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final AtomicBoolean busy = new AtomicBoolean();

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription.complete(given);
    }

    @Override
    public void onNext(ByteBuffer data) {
      alone(() -> signals.add(StandardCharsets.US_ASCII.decode(data).toString()));
    }

    @Override
    public void onError(Throwable cause) {
      alone(() -> signals.add("error " + cause.getClass().getSimpleName()));
    }

    @Override
    public void onComplete() {
      alone(() -> signals.add("complete"));
    }

    void alone(Runnable signal) {
      if (!busy.compareAndSet(false, true)) {
        signals.add("two signals at a time (1.3)");
      }
      signal.run();
      busy.set(false);
    }
  }

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<Response> responses = new LinkedBlockingQueue<>();

  private HttpServer serve(Flow.Subscriber<ByteBuffer> subscriber) {
    return servers.start(
        (request, response) -> {
          response.async();
          responses.add(response);
          request.body().publisher().subscribe(subscriber);
        },
        Servers.LIMITS.toBuilder().bodyBytesMax(SystemBuffers.MORE_BYTES).build());
  }

  private static byte[] chunk(String text) {
    return Requests.bytes(Integer.toHexString(text.length()) + "\r\n" + text + "\r\n");
  }

  @Test
  void signalsWhatWasDemandedAndTheEndWithoutDemand() throws Exception {
    Recorder recorder = new Recorder();
    RawClient client = servers.connect(serve(recorder));
    client.send(Requests.chunkedHead("/")).send(chunk("a"));
    Flow.Subscription subscription = recorder.subscription.get();

    subscription.request(1);
    assertThat(recorder.signals.take()).isEqualTo("a");
    client.send(chunk("b"));
    subscription.request(1);
    assertThat(recorder.signals.take()).isEqualTo("b");
    client.send("0\r\n\r\n");
    assertThat(recorder.signals.take()).isEqualTo("complete");
    subscription.request(1);
    subscription.cancel();
    responses.take().text("done");
    assertThat(client.read().text()).isEqualTo("done");
    assertThat(recorder.signals).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "1, false",
    "100000, false",
    "3000000, true",
    "0, true",
    "3000000, false"
  })
  void passesContentOfAnySizeOnOneByOne(int bytes, boolean chunked) throws Exception {
    byte[] content = Requests.content(bytes);
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    Recorder recorder =
        new Recorder() {
          @Override
          public void onSubscribe(Flow.Subscription given) {
            super.onSubscribe(given);
            given.request(1);
          }

          @Override
          public void onNext(ByteBuffer data) {
            alone(
                () -> {
                  received.write(data.array(), data.arrayOffset(), data.remaining());
                  subscription.join().request(1); // 3.3: no deeper than this
                });
          }

          @Override
          public void onComplete() {
            super.onComplete();
            responses.remove().send(received.toByteArray());
          }
        };
    RawClient client = servers.connect(serve(recorder));
    var sent =
        client.sendMeanwhile(
            chunked ? Requests.chunkedPost("/", content, 5_000) : Requests.post("/", content));

    assertThat(client.read().content()).isEqualTo(content);
    sent.join();
  }

  @Test
  void readsNoMoreOfTheConnectionThanIsDemanded() throws Exception {
    AtomicInteger received = new AtomicInteger();
    Recorder recorder =
        new Recorder() {
          @Override
          public void onNext(ByteBuffer data) {
            received.addAndGet(data.remaining());
          }
        };
    HttpServer server = serve(recorder);
    RawClient client = servers.connect(server);
    int bytes = SystemBuffers.MORE_BYTES;
    var sent = client.sendMeanwhile(Requests.post("/", new byte[bytes]));
    Flow.Subscription subscription = recorder.subscription.get();

    subscription.request(10);
    Await.until("ten buffers came", () -> received.get() > 0);
    assertThat(sent).isNotDone();
    assertThat(received.get()).isLessThanOrEqualTo(10 * 64 * 1024);
    assertThat(server.bufferBytesInUse()).isLessThan(1_000_000);

    subscription.request(Long.MAX_VALUE);
    subscription.request(Long.MAX_VALUE); // 3.17
    assertThat(recorder.signals.take()).isEqualTo("complete");
    assertThat(received.get()).isEqualTo(bytes);
    sent.join();
    responses.take().text("done");
    assertThat(client.read().text()).isEqualTo("done");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void rejectsADemandOfZeroOrLess(long demand) throws Exception { // 3.9
    Recorder recorder = new Recorder();
    servers.connect(serve(recorder)).send(Requests.chunkedHead("/")).send(chunk("a"));

    recorder.subscription.get().request(demand);

    assertThat(recorder.signals.take()).isEqualTo("error IllegalArgumentException");
    recorder.subscription.get().request(1);
    responses.take().send();
    assertThat(recorder.signals).isEmpty();
  }

  @Test
  void signalsNothingAfterItWasCancelled() throws Exception { // 3.6, 3.12
    Recorder recorder = new Recorder();
    RawClient client = servers.connect(serve(recorder));
    client.send(Requests.chunkedHead("/")).send(chunk("a"));
    Flow.Subscription subscription = recorder.subscription.get();
    subscription.request(1);
    assertThat(recorder.signals.take()).isEqualTo("a");
    client.send(chunk("b"));

    subscription.cancel();
    subscription.cancel(); // 3.7
    subscription.request(5);
    client.send(chunk("c")).send("0\r\n\r\n");
    responses.take().text("done");

    assertThat(client.read().text()).isEqualTo("done");
    assertThat(recorder.signals).isEmpty();
    assertThat(client.get("/next").hasMore()).isFalse();
    // that there is nothing in the next request's content
    assertThat(recorder.signals.take()).isEqualTo("complete");
    responses.take().text("next");
    assertThat(client.read().text()).isEqualTo("next");
    assertThat(recorder.signals).isEmpty();
  }

  @Test
  void hasOneSubscriber() throws Exception { // 1.11
    Recorder first = new Recorder();
    Recorder second = new Recorder();
    BlockingQueue<Throwable> refused = new LinkedBlockingQueue<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              Flow.Publisher<ByteBuffer> publisher = request.body().publisher();
              publisher.subscribe(first);
              publisher.subscribe(second);
              try {
                publisher.subscribe(null);
              } catch (NullPointerException expected) { // 1.9
                refused.add(expected);
              }
              first.subscription.join().request(1);
              response.text("done");
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("done");
    assertThat(second.signals).containsExactly("error IllegalStateException");
    assertThat(second.subscription).isDone();
    assertThat(refused).hasSize(1);
  }

  @Test
  void reportsThatTheClientHasGone() throws Exception {
    Recorder recorder = new Recorder();
    RawClient client = servers.connect(serve(recorder));
    client.send(Requests.postHead("/", 100) + "a");
    recorder.subscription.get().request(5);
    assertThat(recorder.signals.take()).isEqualTo("a");

    client.reset();

    assertThat(recorder.signals.take()).isEqualTo("error IOException");
  }

  @OnlyHttp1("chunks")
  @Test
  void reportsThatTheClientBrokeTheFraming() throws Exception {
    Recorder recorder = new Recorder();
    RawClient client = servers.connect(serve(recorder));
    client.send(Requests.chunkedHead("/")).send("zz\r\n");
    recorder.subscription.get().request(5);

    assertThat(recorder.signals.take()).startsWith("error ");
    assertThat(client.read().status()).isEqualTo(400);
  }

  @Test
  void reportsThatTheContentIsTooLarge() throws Exception {
    Recorder recorder = new Recorder();
    HttpServer server =
        servers.start(
            (request, response) -> {
              request.body().maxBytes(5).publisher().subscribe(recorder);
              response.status(HttpStatus.CONTENT_TOO_LARGE).send();
            });

    assertThat(servers.connect(server).post("/", new byte[6]).read().status()).isEqualTo(413);
    assertThat(recorder.signals.take()).isEqualTo("error HttpException");
  }

  @Test
  void feedsAReactiveClient() throws Exception {
    // The subscriber of java.net.http represents reactive libraries.
    HttpServer server =
        servers.start(
            (request, response) -> {
              var target =
                  java.net.http.HttpResponse.BodySubscribers.ofString(StandardCharsets.UTF_8);
              response.async(() -> target.getBody().thenAccept(response::text));
              request.body().publisher().subscribe(new SingleToList(target));
            });

    byte[] request = Requests.chunkedPost("/", Requests.bytes("some text"), 2, Map.of());
    assertThat(servers.connect(server).send(request).read().text()).isEqualTo("some text");
  }

  /** Body subscribers of java.net.http take lists of buffers. */
  private record SingleToList(Flow.Subscriber<java.util.List<ByteBuffer>> target)
      implements Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      target.onSubscribe(subscription);
    }

    @Override
    public void onNext(ByteBuffer data) {
      target.onNext(java.util.List.of(data));
    }

    @Override
    public void onError(Throwable cause) {
      target.onError(cause);
    }

    @Override
    public void onComplete() {
      target.onComplete();
    }
  }
}
