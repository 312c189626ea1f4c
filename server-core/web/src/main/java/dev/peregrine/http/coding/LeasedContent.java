package dev.peregrine.http.coding;

import dev.peregrine.http.Response;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Content whose buffer is given back: by the response that sends it as it is, or at the end of the
 * exchange, because it may be compressed piece by piece until then. Called back in its place, it
 * gives the buffer back.
 */
final class LeasedContent implements Consumer<ByteBuffer> {
  private final ByteBuffer content;
  private final Consumer<? super ByteBuffer> whenSent;
  private boolean passedOn;

  private LeasedContent(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    this.content = content;
    this.whenSent = whenSent;
  }

  /** Takes the lease of a buffer. If this throws, because the heap is full, it is given back. */
  static LeasedContent of(ByteBuffer content, Consumer<? super ByteBuffer> whenSent) {
    try {
      return new LeasedContent(content, whenSent);
    } catch (Throwable noMemory) {
      whenSent.accept(content);
      throw noMemory;
    }
  }

  /** Sends the content as it is. */
  void sendTo(Response target) {
    passedOn = true; // first: the target gives it back even if it throws
    target.send(content, whenSent);
  }

  /** Gives the buffer back when the exchange ends, unless the target does. */
  void end(Response target) {
    if (passedOn) {
      return;
    }
    try {
      target.onComplete(outcome -> whenSent.accept(content));
    } catch (Throwable rejected) {
      whenSent.accept(content);
      throw rejected;
    }
  }

  @Override
  public void accept(ByteBuffer inPlace) {
    whenSent.accept(content);
  }
}
