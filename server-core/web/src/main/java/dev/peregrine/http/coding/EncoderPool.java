package dev.peregrine.http.coding;

import dev.peregrine.base.IdleSlots;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Encoders of one coding for all event loops. How many are in use is bounded, since each takes
 * native memory. Thread-safe.
 */
final class EncoderPool {
  private static final int IDLE_MAX = 32;

  private final ContentCoding coding;
  private final AtomicInteger inUse;
  private final int encodersMax;
  private final IdleSlots<ContentEncoder> idle = new IdleSlots<>(IDLE_MAX);

  /**
   * A pool without encoders.
   *
   * @param inUse the encoders on loan, of this pool and of those that it shares the bound with
   */
  EncoderPool(ContentCoding coding, AtomicInteger inUse, int encodersMax) {
    this.coding = coding;
    this.inUse = inUse;
    this.encodersMax = encodersMax;
  }

  /**
   * An encoder on loan until the lease is closed. One thread uses it at a time. Any other thread
   * may close the lease meanwhile without waiting: an encoder in use is returned when that use
   * ends.
   */
  final class Lease implements AutoCloseable {
    private static final byte[] NOTHING = {};
    private static final int FREE = 0;
    private static final int IN_USE = 1;
    private static final int CLOSING = 2; // in use, and closed
    private static final int CLOSED = 3;

    private final ContentEncoder encoder;
    private final AtomicInteger state = new AtomicInteger(FREE);

    private Lease(ContentEncoder encoder) {
      this.encoder = encoder;
    }

    void write(byte[] source, int from, int length) {
      if (begin()) {
        try {
          encoder.write(source, from, length);
        } finally {
          end();
        }
      }
    }

    void flush() {
      if (begin()) {
        try {
          encoder.flush();
        } finally {
          end();
        }
      }
    }

    void finish() {
      if (begin()) {
        try {
          encoder.finish();
        } finally {
          end();
        }
      }
    }

    /**
     * Takes the encoded bytes that have not been taken yet; none if they are fewer than the given
     * number.
     */
    byte[] take(int bytesMin) {
      if (!begin()) {
        return NOTHING;
      }
      try {
        return encoder.available() < bytesMin ? NOTHING : encoder.take();
      } finally {
        end();
      }
    }

    @Override
    public void close() {
      int seen = state.get();
      while (!state.compareAndSet(seen, seen == FREE ? CLOSED : Math.max(seen, CLOSING))) {
        seen = state.get();
      }
      if (seen == FREE) {
        giveBack(encoder);
      }
    }

    /** Begins a use. Returns false if the lease is closed. */
    private boolean begin() {
      if (state.compareAndSet(FREE, IN_USE)) {
        return true;
      }
      if (state.get() == IN_USE) {
        throw new IllegalStateException("a response is used by one thread at a time");
      }
      return false;
    }

    private void end() {
      if (!state.compareAndSet(IN_USE, FREE)) {
        state.set(CLOSED);
        giveBack(encoder);
      }
    }
  }

  /** Returns an encoder that has begun; null if too many are in use. */
  @Nullable Lease lease() {
    if (inUse.incrementAndGet() > encodersMax) {
      inUse.decrementAndGet();
      return null;
    }
    try {
      return new Lease(begun());
    } catch (Throwable failure) { // most likely out of memory
      inUse.decrementAndGet();
      throw failure;
    }
  }

  private ContentEncoder begun() {
    ContentEncoder encoder = idle.poll();
    if (encoder == null) {
      encoder = coding.newEncoder();
    }
    try {
      encoder.begin();
      return encoder;
    } catch (Throwable failure) {
      encoder.close();
      throw failure;
    }
  }

  /** Returns the coding's name. */
  String coding() {
    return coding.name();
  }

  /** Returns the number of encoders on loan. */
  int inUse() {
    return inUse.get();
  }

  private void giveBack(ContentEncoder encoder) {
    inUse.decrementAndGet(); // first, so that the count is right even if the code below fails
    if (!idle.offer(encoder)) {
      encoder.close();
    }
  }
}
