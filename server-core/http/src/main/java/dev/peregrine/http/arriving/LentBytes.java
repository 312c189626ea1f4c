package dev.peregrine.http.arriving;

import dev.peregrine.http.RetainedBytes;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Bytes where they lie, readable until {@link #close}. */
public final class LentBytes extends SegmentBytes {
  private final Keeper keeper;
  private @Nullable MemorySegment memory; // null when closed

  /** Creates a view that is closed, of bytes that a keeper retains. */
  public LentBytes(Keeper keeper) {
    this.keeper = keeper;
  }

  /** Lends a range of memory, which a keeper retains. */
  public LentBytes(Keeper keeper, MemorySegment memory, long from, long to) {
    this(keeper);
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
    return keeper.keep(memory(), from(), length());
  }
}
