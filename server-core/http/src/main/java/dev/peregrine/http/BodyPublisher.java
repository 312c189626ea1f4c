package dev.peregrine.http;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/** The content of a request for the one subscriber that it can have. */
final class BodyPublisher implements Flow.Publisher<ByteBuffer> {
  /** A subscription without a publisher: requests and cancellation have no effect. */
  static final Flow.Subscription NOTHING =
      new Flow.Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
      };

  private final RequestBody body;
  private final AtomicBoolean subscribed = new AtomicBoolean();

  BodyPublisher(RequestBody body) {
    this.body = body;
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    Objects.requireNonNull(subscriber, "subscriber");
    if (subscribed.compareAndSet(false, true)) {
      BodySubscription subscription = new BodySubscription(body, subscriber);
      subscriber.onSubscribe(subscription);
      subscription.start();
    } else {
      subscriber.onSubscribe(NOTHING);
      subscriber.onError(new IllegalStateException("the body can be subscribed to once"));
    }
  }
}
