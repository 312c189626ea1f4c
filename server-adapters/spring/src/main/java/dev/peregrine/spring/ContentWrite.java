package dev.peregrine.spring;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** Writes the buffers of a publisher to a response, and completes when they are written. */
final class ContentWrite extends Mono<Void> {
  private final AdaptedResponse response;
  private final Publisher<? extends DataBuffer> body;
  private final boolean flushes;

  /**
   * Writes a publisher's buffers.
   *
   * @param flushes true if content must not wait for more, even where it is compressed
   */
  ContentWrite(AdaptedResponse response, Publisher<? extends DataBuffer> body, boolean flushes) {
    this.response = response;
    this.body = body;
    this.flushes = flushes;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Void> actual) {
    ContentWriter writer = new ContentWriter(response, actual, flushes);
    actual.onSubscribe(writer);
    writer.start();
    body.subscribe(writer);
  }
}
