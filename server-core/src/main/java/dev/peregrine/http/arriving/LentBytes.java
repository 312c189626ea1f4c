package dev.peregrine.http.arriving;

import dev.peregrine.http.RetainedBytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Bytes where they lie, readable until {@link #close}; one for each call of a listener. */
public final class LentBytes extends SegmentBytes {
  private @Nullable MemorySegment memory; // null when closed

  /** Lends a range of memory. */
  public LentBytes(MemorySegment memory, long from, long to) {
    super(from, (int) (to - from));
    this.memory = memory;
  }

  /** Ends the loan: every later call throws. */
  public void close() {
    memory = null;
  }

  @Override
  MemorySegment memory() {
    if (memory == null) {
      throw new IllegalStateException(
          "received bytes can be read only during the call they came with");
    }
    return memory;
  }

  @Override
  public RetainedBytes retain() {
    return KeptBytes.copyOf(this);
  }
}
