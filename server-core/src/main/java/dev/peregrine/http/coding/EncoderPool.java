package dev.peregrine.http.coding;

import java.lang.ref.Cleaner;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Encoders for all event loops, a bounded number: each takes about 256 KiB of native memory. One
 * that was lost with its response comes back when that is garbage. Thread-safe.
 */
final class EncoderPool {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final int IDLE_MAX = 32;

  private final int level;
  private final int encodersMax;
  private final AtomicInteger inUse = new AtomicInteger();
  private final AtomicInteger idleCount = new AtomicInteger();
  private final ConcurrentLinkedDeque<GzipEncoder> idle = new ConcurrentLinkedDeque<>();

  EncoderPool(int level, int encodersMax) {
    this.level = level;
    this.encodersMax = encodersMax;
  }

  /** An encoder on loan until it is closed. */
  final class Lease implements AutoCloseable {
    final GzipEncoder encoder;
    private final Cleaner.Cleanable cleanable;

    private Lease(GzipEncoder encoder) {
      this.encoder = encoder;
      EncoderPool pool = EncoderPool.this;
      this.cleanable = CLEANER.register(this, () -> pool.giveBack(encoder));
    }

    /** Gives the encoder back, the first time. */
    @Override
    public void close() {
      cleanable.clean();
    }
  }

  /** An encoder that has begun; null if too many are in use. */
  @Nullable Lease lease() {
    if (inUse.incrementAndGet() > encodersMax) {
      inUse.decrementAndGet();
      return null;
    }
    GzipEncoder encoder = idle.pollFirst();
    if (encoder == null) {
      encoder = new GzipEncoder(level);
    } else {
      idleCount.decrementAndGet();
    }
    encoder.begin();
    return new Lease(encoder);
  }

  /** Encoders on loan. */
  int inUse() {
    return inUse.get();
  }

  private void giveBack(GzipEncoder encoder) {
    if (idleCount.incrementAndGet() <= IDLE_MAX) {
      idle.addFirst(encoder);
    } else {
      idleCount.decrementAndGet();
      encoder.end();
    }
    inUse.decrementAndGet();
  }
}
