package dev.peregrine.http;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The response of a blocking handler. It knows whether the handler completes it later. */
final class BlockingResponse extends ForwardingResponse {
  private volatile boolean later;

  BlockingResponse(Response wrapped) {
    super(wrapped);
  }

  /** Returns true if the response is not complete when the handler returns. */
  boolean isLater() {
    return later;
  }

  @Override
  public Response async() {
    later = true;
    return super.async();
  }

  @Override
  public Response async(Duration beginsWithin) {
    later = true;
    return super.async(beginsWithin);
  }

  @Override
  public Response async(Supplier<? extends CompletionStage<?>> work) {
    later = true;
    return super.async(work);
  }
}
