package dev.peregrine.server.exchange.bytes;

import dev.peregrine.base.MemoryRange;
import dev.peregrine.base.Scratch;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.arriving.KeptBytes;
import dev.peregrine.server.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of the loop's memory, readable until {@link #close}. Each call of a listener for content
 * gets a new one, so that a listener that keeps it never reads later bytes: {@code ViewBenchmark}
 * measures what that costs. A WebSocket has one for all of its messages, so that small messages
 * cost no garbage.
 */
public final class ReceivedBytes implements Bytes, MemoryRange {
  private @Nullable Block block; // null when closed
  private int from;
  private int length;
  private byte headroom;
  private boolean givable;
  private @Nullable Retainer retainer; // null in tests of parts

  /** Creates a view that is closed. */
  public ReceivedBytes() {}

  /** Begins the view of a range, which is copied if it is retained. */
  public ReceivedBytes(Block block, int from, int to) {
    this.block = block;
    this.from = from;
    this.length = to - from;
  }

  /** Begins the view of a range that can be retained. */
  public ReceivedBytes(Retainer retainer, Block block, int from, int to) {
    this(block, from, to);
    this.retainer = retainer;
  }

  /** Sets what retains the bytes. */
  public void retainBy(Retainer shared) {
    retainer = shared;
  }

  /** Begins the view of a range. */
  public void open(Block source, int start, int end) {
    block = source;
    from = start;
    length = end - start;
    headroom = 0;
    givable = false;
  }

  /** Ends the view. */
  public void close() {
    block = null;
  }

  /** Lets bytes right before the range be overwritten, for a head that leaves with it. */
  public void allowHead(int bytes) {
    headroom = (byte) Math.min(bytes, Byte.MAX_VALUE);
  }

  /** Returns the number of bytes right before the range that may be overwritten. */
  public int headroom() {
    return headroom;
  }

  /** Lets the block be given away, once. It must be held until the view's end. */
  public void allowGiving() {
    givable = true;
  }

  /** Returns true if the block may be given away, and hasn't been. */
  public boolean isGivable() {
    return givable;
  }

  /**
   * The range was sent by reference, with the bytes right before it: these may not be overwritten
   * again. If the block was givable, it belongs to another owner from now on.
   */
  public void onSentByReference() {
    givable = false;
    headroom = 0;
  }

  /** Returns the block that the bytes lie in. */
  public Block block() {
    if (block == null) {
      throw new IllegalStateException(
          "received bytes can be read only during the call they came with");
    }
    return block;
  }

  @Override
  public MemorySegment segment() {
    return block().segment();
  }

  @Override
  public int from() {
    return from;
  }

  @Override
  public int length() {
    block();
    return length;
  }

  /** Throws if the view was closed while a thread read what may have been other bytes by then. */
  private void checkStillOpen() {
    VarHandle.loadLoadFence();
    block();
  }

  @Override
  public RetainedBytes retain() {
    Block source = block();
    return retainer == null ? KeptBytes.copyOf(this) : retainer.retain(source, from, length);
  }

  @Override
  public byte get(int index) {
    byte read =
        block().segment().get(ValueLayout.JAVA_BYTE, from + Objects.checkIndex(index, length));
    checkStillOpen();
    return read;
  }

  @Override
  public void copyTo(int start, byte[] target, int targetFrom, int count) {
    MemorySegment source = block().segment();
    Objects.checkFromIndexSize(start, count, length);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from + start, target, targetFrom, count);
    checkStillOpen();
  }

  @Override
  public int copyTo(int start, ByteBuffer target) {
    MemorySegment source = block().segment();
    int count = Math.min(target.remaining(), length - Objects.checkIndex(start, length + 1));
    MemorySegment.copy(source, from + start, MemorySegment.ofBuffer(target), 0, count);
    checkStillOpen();
    target.position(target.position() + count);
    return count;
  }

  @Override
  public String toString(Charset charset) {
    String text = Scratch.text(block().segment(), from, length, charset);
    checkStillOpen();
    return text;
  }

  @Override
  public String toString() {
    return toString(StandardCharsets.UTF_8);
  }
}
