package dev.peregrine.http.arriving;

import dev.peregrine.http.RetainedBytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Bytes where they lie, readable until {@link #close}. */
public final class LentBytes extends SegmentBytes {
  private @Nullable MemorySegment memory; // null when closed

  /** Creates a view that is closed. */
  public LentBytes() {}

  /** Lends a range of memory. */
  public LentBytes(MemorySegment memory, long from, long to) {
    open(memory, from, to);
  }

  /** Lends another range of memory. */
  public void open(MemorySegment lent, long from, long to) {
    range(from, (int) (to - from));
    memory = lent;
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
