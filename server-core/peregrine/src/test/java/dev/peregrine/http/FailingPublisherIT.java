package dev.peregrine.http;

import static dev.peregrine.http.TestPublisher.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Publishers that fail or break the rules, and responses that fail under a publisher. */
final class FailingPublisherIT {
  @RegisterExtension final Servers servers = new Servers();

  private RawClient get(Flow.Publisher<ByteBuffer> publisher) {
    return servers.connect(servers.start((request, response) -> response.send(publisher))).get("/");
  }

  private void assertOneFailureIsLogged() {
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  @Test
  void answersAnErrorIfThePublisherFailsBeforeTheFirstByte() {
    TestPublisher publisher =
        new TestPublisher(
            subscriber -> subscriber.onError(new HttpException(503, "no rows today")));
    RawClient client = get(publisher);

    RawResponse response = client.read();
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.text()).isEqualTo("no rows today\n");
    assertOneFailureIsLogged();
    assertThat(publisher.cancelled).isNotDone(); // rule 2.3
    assertThat(client.get("/").read().status()).isEqualTo(503);
    assertOneFailureIsLogged();
  }

  @Test
  void answersAnErrorIfAFilterFailsBeforeTheSubscriptionAndTheHandlerCatchesThat() {
    TestPublisher publisher = TestPublisher.endless();
    HttpServer server =
        servers.start(
            Handlers.blocking(
                (request, response) ->
                    assertThatThrownBy(() -> new Refusing(response).send(publisher))
                        .hasMessage("intended")));

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    publisher.cancelled.join();
    assertOneFailureIsLogged();
  }

  /** Refuses to be told of an abort. */
  private static final class Refusing extends ForwardingResponse {
    Refusing(Response wrapped) {
      super(wrapped);
    }

    @Override
    public Response onAbort(Consumer<IOException> callback) {
      throw new IllegalStateException("intended");
    }
  }

  @Test
  void findsASignalForWhichTheHeapWasFull() {
    TestPublisher publisher = TestPublisher.silent();
    AtomicInteger refused = new AtomicInteger();
    HttpServer server =
        servers.start((request, response) -> new FullHeap(response, refused).send(publisher));
    RawClient client = servers.connect(server).get("/");
    Flow.Subscriber<? super ByteBuffer> subscriber = publisher.subscriber();

    subscriber.onNext(bytes("found"));
    subscriber.onComplete();

    assertThat(client.read().text()).isEqualTo("found");
    assertThat(refused).hasPositiveValue();
  }

  /** Has no memory for the work of other threads. */
  private static final class FullHeap extends ForwardingResponse {
    private final AtomicInteger refused;

    FullHeap(Response wrapped, AtomicInteger refused) {
      super(wrapped);
      this.refused = refused;
    }

    @Override
    public void onLoop(Runnable work) {
      if (Thread.currentThread().getName().contains("loop")) {
        super.onLoop(work);
      } else {
        int _ = refused.incrementAndGet();
        throw new OutOfMemoryError("intended");
      }
    }
  }

  @Test
  void answersAnErrorToHeadToo() {
    TestPublisher publisher =
        new TestPublisher(subscriber -> subscriber.onError(new HttpException(404, "none")));
    HttpServer server = servers.start((request, response) -> response.send(publisher));

    RawClient client = servers.connect(server).send(Requests.head("/"));

    assertThat(client.read("HEAD").status()).isEqualTo(404);
  }

  @Test
  void cutsTheResponseShortIfThePublisherFailsLater() {
    AtomicInteger next = new AtomicInteger();
    RawClient client =
        get(
            new TestPublisher(
                subscriber -> {
                  if (next.getAndIncrement() < 3) {
                    subscriber.onNext(bytes("x"));
                  } else {
                    subscriber.onError(new IOException("disk gone"));
                  }
                }));

    client.expectCutShort();
    assertOneFailureIsLogged();
  }

  @Test
  void cancelsWhenTheClientHasGone() {
    TestPublisher publisher = TestPublisher.silent();
    RawClient client = get(publisher);
    Flow.Subscriber<? super ByteBuffer> subscriber = publisher.subscriber();

    client.reset();

    publisher.cancelled.join();
    subscriber.onNext(bytes("too late"));
    subscriber.onError(new IOException("too late"));
    subscriber.onComplete();
  }

  @Test
  void cancelsWhenThePublisherHasBeenSilentForTooLong() {
    TestPublisher publisher = TestPublisher.silent();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(publisher),
            Servers.LIMITS.toBuilder().responseBeginTime(Duration.ofMillis(100)).build());

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(503);
    publisher.cancelled.join();
    servers.log().take(Level.WARNING);
  }

  @Test
  void cancelsWhenTheHandlerFails() {
    TestPublisher publisher = TestPublisher.endless();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.send(publisher);
              throw new IllegalStateException("after all");
            });

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(500);
    publisher.cancelled.join();
    assertThat(publisher.requests).hasValue(0);
    assertOneFailureIsLogged();
  }

  @Test
  void cancelsWhenAnotherResponseHasBeenSent() {
    TestPublisher publisher = TestPublisher.endless();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.text("first");
              assertThatThrownBy(() -> response.send(publisher))
                  .isInstanceOf(IllegalStateException.class);
            });

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("first");
    publisher.cancelled.join();
    assertThat(publisher.requests).hasValue(0);
  }

  /** Faults of a publisher in {@code request}. */
  enum Fault {
    EMITS_NULL,
    FAILS_WITH_NULL,
    EMITS_TOO_MUCH,
    THROWS,
    THROWS_AN_ERROR;

    void commit(Flow.Subscriber<? super ByteBuffer> subscriber) {
      switch (this) {
        case EMITS_NULL -> subscriber.onNext(null);
        case FAILS_WITH_NULL -> subscriber.onError(null);
        case EMITS_TOO_MUCH -> {
          subscriber.onNext(bytes("a"));
          subscriber.onNext(bytes("b"));
        }
        case THROWS -> throw new IllegalStateException("thrown by request");
        case THROWS_AN_ERROR -> throw new AssertionError("thrown by request");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void failsTheExchangeOfAPublisherThatBreaksTheRules(Fault fault) {
    TestPublisher publisher = new TestPublisher(fault::commit);

    assertThat(get(publisher).read().status()).isEqualTo(500);

    assertOneFailureIsLogged();
    publisher.cancelled.join();
  }

  @Test
  void failsTheExchangeOfAPublisherThatCantBeSubscribedTo() {
    RawClient client =
        get(
            subscriber -> {
              throw new IllegalStateException("thrown by subscribe");
            });

    assertThat(client.read().status()).isEqualTo(500);
    assertOneFailureIsLogged();
  }

  @Test
  void failsTheExchangeOfAPublisherThatEmitsBeforeItsSubscription() {
    TestPublisher publisher = TestPublisher.silent();
    RawClient client =
        get(
            subscriber -> {
              subscriber.onNext(bytes("x"));
              subscriber.onSubscribe(publisher);
            });

    assertThat(client.read().status()).isEqualTo(500);
    assertOneFailureIsLogged();
    publisher.cancelled.join();
  }

  @Test
  void failsTheExchangeOfAPublisherThatCompletesBeforeItsSubscription() {
    assertThat(get(Flow.Subscriber::onComplete).read().status()).isEqualTo(500);
    assertOneFailureIsLogged();
  }

  @Test
  void cancelsASecondSubscription() {
    TestPublisher first = TestPublisher.repeating(bytes("x"), 2);
    TestPublisher second = TestPublisher.silent();
    RawClient client =
        get(
            subscriber -> {
              first.subscribe(subscriber);
              subscriber.onSubscribe(second);
            });

    assertThat(client.read().text()).isEqualTo("xx");
    assertThat(second.cancelled).isDone();
    assertThat(first.cancelled).isNotDone();
  }

  @Test
  void ignoresSignalsAfterTheEnd() {
    RawClient client =
        get(
            new TestPublisher(
                subscriber -> {
                  subscriber.onNext(bytes("x"));
                  subscriber.onComplete();
                  subscriber.onNext(bytes("y"));
                  subscriber.onError(new IOException("late"));
                  subscriber.onComplete();
                }));

    assertThat(client.read().text()).isEqualTo("x");
    assertThat(client.get("/").read().text()).isEqualTo("x");
  }

  @Test
  void logsWhatIsThrownWhenItCancels() {
    TestPublisher publisher =
        new TestPublisher(subscriber -> {}) {
          @Override
          public void cancel() {
            super.cancel();
            throw new IllegalStateException("thrown by cancel");
          }
        };
    RawClient client = get(publisher);
    publisher.subscriber();

    client.reset();

    publisher.cancelled.join();
    assertThat(servers.log().await(Level.SEVERE)).hasSize(1);
  }

  // ---- lengths ----

  @Test
  void failsTheExchangeIfTheContentIsLongerThanDeclared() {
    TestPublisher publisher = TestPublisher.repeating(bytes("abc"), 3);
    HttpServer server =
        servers.start((request, response) -> response.contentLength(5).send(publisher));

    servers.connect(server).get("/").expectCutShort();

    publisher.cancelled.join();
    assertOneFailureIsLogged();
  }

  @Test
  void failsTheExchangeIfTheContentIsShorterThanDeclared() {
    TestPublisher publisher = TestPublisher.repeating(bytes("abc"), 2);
    HttpServer server =
        servers.start((request, response) -> response.contentLength(7).send(publisher));

    servers.connect(server).get("/").expectCutShort();

    assertOneFailureIsLogged();
  }
}
