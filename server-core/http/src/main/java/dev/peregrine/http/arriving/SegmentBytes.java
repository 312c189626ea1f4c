package dev.peregrine.http.arriving;

import dev.peregrine.base.Scratch;
import dev.peregrine.http.Bytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A range of memory that may end to be readable. */
abstract class SegmentBytes implements Bytes {
  private long from;
  private int length;

  /** Sets the range. */
  void range(long start, int bytes) {
    from = start;
    length = bytes;
  }

  long from() {
    return from;
  }

  /**
   * Returns the memory.
   *
   * @throws IllegalStateException if it isn't readable any more
   */
  abstract MemorySegment memory();

  /** Throws if a thread has read what may have been other bytes by then. */
  private void checkStillOpen() {
    VarHandle.loadLoadFence();
    memory();
  }

  @Override
  public int length() {
    memory();
    return length;
  }

  @Override
  public byte get(int index) {
    byte read = memory().get(ValueLayout.JAVA_BYTE, from + Objects.checkIndex(index, length));
    checkStillOpen();
    return read;
  }

  @Override
  public void copyTo(int start, byte[] target, int targetFrom, int count) {
    MemorySegment source = memory();
    Objects.checkFromIndexSize(start, count, length);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from + start, target, targetFrom, count);
    checkStillOpen();
  }

  @Override
  public int copyTo(int start, ByteBuffer target) {
    MemorySegment source = memory();
    int count = Math.min(target.remaining(), length - Objects.checkIndex(start, length + 1));
    MemorySegment.copy(source, from + start, MemorySegment.ofBuffer(target), 0, count);
    checkStillOpen();
    target.position(target.position() + count);
    return count;
  }

  @Override
  public String toString(Charset charset) {
    String text = Scratch.text(memory(), from, length, charset);
    checkStillOpen();
    return text;
  }

  @Override
  public String toString() {
    return toString(StandardCharsets.UTF_8);
  }
}
