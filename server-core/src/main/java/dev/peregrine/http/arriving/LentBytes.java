package dev.peregrine.http.arriving;

import dev.peregrine.http.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bytes where they lie, readable until {@link #close}; one for each call of a listener. */
public final class LentBytes implements Bytes {
  private @Nullable MemorySegment memory; // null when closed
  private final long from;
  private final int length;

  /** Lends a range of memory. */
  public LentBytes(MemorySegment memory, long from, long to) {
    this.memory = memory;
    this.from = from;
    this.length = (int) (to - from);
  }

  /** Ends the loan: every later call throws. */
  public void close() {
    memory = null;
  }

  private MemorySegment memory() {
    if (memory == null) {
      throw new IllegalStateException(
          "received bytes can be read only during the call they came with");
    }
    return memory;
  }

  @Override
  public int length() {
    memory();
    return length;
  }

  @Override
  public byte get(int index) {
    return memory().get(ValueLayout.JAVA_BYTE, from + Objects.checkIndex(index, length));
  }

  @Override
  public void copyTo(int start, byte[] target, int targetFrom, int count) {
    MemorySegment source = memory();
    Objects.checkFromIndexSize(start, count, length);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from + start, target, targetFrom, count);
  }

  @Override
  public int copyTo(int start, ByteBuffer target) {
    MemorySegment source = memory();
    int count = Math.min(target.remaining(), length - Objects.checkIndex(start, length + 1));
    MemorySegment.copy(source, from + start, MemorySegment.ofBuffer(target), 0, count);
    target.position(target.position() + count);
    return count;
  }

  @Override
  public String toString() {
    return toString(StandardCharsets.UTF_8);
  }
}
