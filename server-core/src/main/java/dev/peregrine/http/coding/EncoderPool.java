package dev.peregrine.http.coding;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Encoders for all event loops, a bounded number: each takes about 256 KiB of native memory.
 * Thread-safe.
 */
final class EncoderPool {
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

  /**
   * An encoder on loan until it is closed; then it takes and gives nothing more. The event loop may
   * close it while another thread writes.
   */
  final class Lease implements AutoCloseable {
    private static final byte[] NOTHING = {};

    private @Nullable GzipEncoder encoder;

    private Lease(GzipEncoder encoder) {
      this.encoder = encoder;
    }

    synchronized void write(byte[] source, int from, int length) {
      if (encoder != null) {
        encoder.write(source, from, length);
      }
    }

    synchronized void flush() {
      if (encoder != null) {
        encoder.flush();
      }
    }

    synchronized void finish() {
      if (encoder != null) {
        encoder.finish();
      }
    }

    /** What has been encoded and not been taken; nothing if that is less than so many bytes. */
    synchronized byte[] take(int bytesMin) {
      return encoder == null || encoder.available() < bytesMin ? NOTHING : encoder.take();
    }

    @Override
    public synchronized void close() {
      if (encoder != null) {
        giveBack(encoder);
        encoder = null;
      }
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
