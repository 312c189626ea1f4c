package dev.peregrine.http.arriving;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RetainedBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Received bytes that the application has retained. Thread-safe. */
public final class KeptBytes extends SegmentBytes implements RetainedBytes {
  private final @Nullable Claim claim; // null for a copy that doesn't count
  private @Nullable MemorySegment memory; // null when released
  private @Nullable ByteBuffer buffer; // the root of all views, which the guard of a claim watches

  /** A claim on the memory. Thread-safe. */
  public interface Claim {
    /** Counts one more owner. */
    void share();

    /** Ends the claim of one owner. */
    void release();
  }

  /**
   * Creates bytes of one owner of a claim.
   *
   * @param buffer all bytes of the memory
   */
  public KeptBytes(ByteBuffer buffer, @Nullable Claim claim) {
    range(0, buffer.capacity());
    this.buffer = buffer;
    this.memory = MemorySegment.ofBuffer(buffer);
    this.claim = claim;
  }

  /** Returns a copy on the heap, which the collector frees. */
  public static KeptBytes copyOf(Bytes source) {
    return new KeptBytes(ByteBuffer.wrap(source.toArray()), null);
  }

  /** Returns a copy on the heap, which the collector frees. */
  static KeptBytes copyOf(MemorySegment memory, long from, int length) {
    byte[] copy = memory.asSlice(from, length).toArray(ValueLayout.JAVA_BYTE);
    return new KeptBytes(ByteBuffer.wrap(copy), null);
  }

  @Override
  MemorySegment memory() {
    return checked(memory);
  }

  private static <T> T checked(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the retained bytes were released");
    }
    return part;
  }

  @Override
  public ByteBuffer buffer() {
    return checked(buffer).asReadOnlyBuffer();
  }

  @Override
  public synchronized RetainedBytes retain() {
    ByteBuffer shared = checked(buffer);
    KeptBytes other = new KeptBytes(shared, claim);
    if (claim != null) {
      claim.share();
    }
    return other;
  }

  @Override
  public void release() {
    end(true);
  }

  @Override
  public void close() {
    end(false);
  }

  private void end(boolean first) {
    ByteBuffer root;
    synchronized (this) {
      root = buffer;
      memory = null;
      buffer = null;
    }
    if (root == null && first) {
      throw new IllegalStateException("the retained bytes were released twice");
    }
    try {
      if (root != null && claim != null) {
        claim.release();
      }
    } finally {
      Reference.reachabilityFence(root); // until then it isn't lost
    }
  }
}
