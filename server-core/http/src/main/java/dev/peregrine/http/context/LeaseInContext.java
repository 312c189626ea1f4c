package dev.peregrine.http.context;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The callback for a leased buffer, in a context. It is called without the context if that can't be
 * entered, because the heap is full: the buffer must come back.
 */
final class LeaseInContext implements Consumer<ByteBuffer>, CallContext.Call {
  private final CallContext context;
  private final ByteBuffer buffer;
  private final Consumer<? super ByteBuffer> whenSent;
  private boolean called;

  private LeaseInContext(
      CallContext context, ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    this.context = context;
    this.buffer = buffer;
    this.whenSent = whenSent;
  }

  /** Wraps a callback. If this throws, because the heap is full, the callback has been called. */
  static LeaseInContext of(
      CallContext context, ByteBuffer buffer, Consumer<? super ByteBuffer> whenSent) {
    Objects.requireNonNull(whenSent, "whenSent");
    try {
      return new LeaseInContext(context, buffer, whenSent);
    } catch (Throwable noMemory) {
      whenSent.accept(buffer);
      throw noMemory;
    }
  }

  @Override
  public void accept(ByteBuffer sent) {
    try {
      ContextCallbacks.run(context, this);
    } finally {
      if (!called) {
        run();
      }
    }
  }

  @Override
  public void run() {
    called = true;
    whenSent.accept(buffer);
  }
}
