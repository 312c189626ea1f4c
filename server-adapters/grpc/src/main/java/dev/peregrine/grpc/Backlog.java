package dev.peregrine.grpc;

import dev.peregrine.http.ResponseStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The messages that a call has sent while its client took no more, counted until they leave. HTTP/2
 * gives each back when it has left. HTTP/1.1 copies small ones, so that they count until the stream
 * is ready again. Written to with the lock of the output.
 */
final class Backlog implements Consumer<ByteBuffer> {
  private final UnsentBytes all;
  private final boolean givesBack;
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Creates an empty backlog.
   *
   * @param givesBack whether the stream gives each message back
   */
  Backlog(UnsentBytes all, boolean givesBack) {
    this.all = all;
    this.givesBack = givesBack;
  }

  /** Writes a message. Returns false if a bound doesn't permit it. */
  boolean write(ResponseStream target, ByteBuffer message) {
    int size = message.capacity();
    if (!all.add(bytes.get(), size)) {
      return false;
    }
    long ignored = bytes.addAndGet(size);
    if (givesBack) {
      target.write(message, this);
    } else {
      target.write(message);
    }
    return true;
  }

  /** A message has left, or was dropped; on any thread. */
  @Override
  public void accept(ByteBuffer message) {
    remove(message.capacity());
  }

  /** The stream is ready again, or has ended. */
  void onReady() {
    if (!givesBack) {
      remove(bytes.get());
    }
  }

  private void remove(long count) {
    long ignored = bytes.addAndGet(-count);
    all.remove(count);
  }
}
