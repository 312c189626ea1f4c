package dev.peregrine.http;

import java.util.concurrent.Flow;

/** A subscription without a publisher: nothing comes of a request, and nothing is cancelled. */
final class NoSubscription implements Flow.Subscription {
  static final NoSubscription INSTANCE = new NoSubscription();

  private NoSubscription() {}

  @Override
  public void request(long n) {}

  @Override
  public void cancel() {}
}
