package dev.peregrine.spring;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import java.io.IOException;
import reactor.core.publisher.BaseSubscriber;

/** Ends the response when the application has handled the request. Cancels it with the client. */
final class Completion extends BaseSubscriber<Void> {
  /** The status of a request whose client left before its response; as a rule nobody reads it. */
  private static final int CLIENT_CLOSED = 499;

  private final Response response;
  private final AdaptedResponse adapted;

  Completion(Response response, AdaptedResponse adapted) {
    this.response = response;
    this.adapted = adapted;
  }

  @Override
  protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
    response.onAbort(this::abandon).onClientClosed(this::leave);
    requestUnbounded();
  }

  private void abandon(IOException cause) {
    cancel();
  }

  /**
   * Cancels the handler when the client ends its side, as Spring's other servers do: a handler that
   * waits for ever would else never learn of it.
   */
  private void leave() {
    cancel();
    response.fail(new HttpException(CLIENT_CLOSED, "the client has closed its side"));
  }

  @Override
  protected void hookOnComplete() {
    try {
      adapted.end();
    } catch (Throwable failure) {
      adapted.fail(failure);
    }
  }

  @Override
  protected void hookOnError(Throwable failure) {
    adapted.fail(failure);
  }
}
