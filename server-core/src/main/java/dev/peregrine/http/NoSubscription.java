package dev.peregrine.http;

import java.util.concurrent.Flow;

/** A subscription without a publisher: requests and cancellation have no effect. */
final class NoSubscription implements Flow.Subscription {
  static final NoSubscription INSTANCE = new NoSubscription();

  private NoSubscription() {}

  @Override
  public void request(long n) {}

  @Override
  public void cancel() {}
}
