package dev.peregrine.http;

import dev.peregrine.testing.Requests;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A publisher and its subscription; a test defines its action at each request. */
class TestPublisher implements Flow.Publisher<ByteBuffer>, Flow.Subscription {
  /** The number of requests, each for one buffer. */
  final AtomicInteger requests = new AtomicInteger();

  final CompletableFuture<Void> cancelled = new CompletableFuture<>();
  private final CountDownLatch requested = new CountDownLatch(1);
  private final Consumer<Flow.Subscriber<? super ByteBuffer>> onRequest;
  private volatile Flow.@Nullable Subscriber<? super ByteBuffer> subscriber;

  TestPublisher(Consumer<Flow.Subscriber<? super ByteBuffer>> onRequest) {
    this.onRequest = onRequest;
  }

  /** A publisher that emits nothing by itself. */
  static TestPublisher silent() {
    return new TestPublisher(subscriber -> {});
  }

  /** A publisher that emits a buffer that many times, each time within the request for it. */
  static TestPublisher repeating(ByteBuffer buffer, int count) {
    AtomicInteger emitted = new AtomicInteger();
    return new TestPublisher(
        subscriber -> {
          int number = emitted.incrementAndGet();
          subscriber.onNext(buffer);
          if (number == count) {
            subscriber.onComplete();
          }
        });
  }

  static TestPublisher endless() {
    return repeating(ByteBuffer.wrap(Requests.content(16_000)), Integer.MAX_VALUE);
  }

  static ByteBuffer bytes(String ascii) {
    return ByteBuffer.wrap(Requests.bytes(ascii));
  }

  /** Returns the subscriber once it has requested something. */
  Flow.Subscriber<? super ByteBuffer> subscriber() {
    try {
      requested.await();
      return Objects.requireNonNull(subscriber);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> target) {
    subscriber = target;
    target.onSubscribe(this);
  }

  @Override
  public void request(long n) {
    requests.incrementAndGet();
    requested.countDown();
    if (n != 1) {
      throw new AssertionError(n + " buffers were requested");
    }
    onRequest.accept(Objects.requireNonNull(subscriber));
  }

  @Override
  public void cancel() {
    cancelled.complete(null);
  }
}
