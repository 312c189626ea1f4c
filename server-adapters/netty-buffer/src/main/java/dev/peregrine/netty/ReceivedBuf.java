package dev.peregrine.netty;

import dev.peregrine.http.RetainedBytes;
import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Retained bytes as a buffer that can't be written to: counts references, and delegates to a view
 * of the bytes. Netty has no public class whose subclass learns of the last release.
 */
@SuppressWarnings("deprecation") // order is abstract
final class ReceivedBuf extends AbstractReferenceCountedByteBuf {
  private static final ResourceLeakDetector<ReceivedBuf> LEAKS =
      ResourceLeakDetectorFactory.instance().newResourceLeakDetector(ReceivedBuf.class);

  private final RetainedBytes kept;
  private final ByteBuf view;
  private @Nullable ResourceLeakTracker<ReceivedBuf> tracker;

  private ReceivedBuf(RetainedBytes kept, ByteBuf view) {
    super(view.capacity());
    this.kept = kept;
    this.view = view;
  }

  /** Makes a buffer of bytes, which it releases. */
  static ByteBuf of(RetainedBytes kept) {
    try {
      ReceivedBuf made = new ReceivedBuf(kept, Unpooled.wrappedBuffer(kept.buffer()));
      made.tracker = LEAKS.track(made);
      return made.writerIndex(made.capacity());
    } catch (Throwable failure) {
      kept.close();
      throw failure;
    }
  }

  @Override
  protected void deallocate() {
    ResourceLeakTracker<ReceivedBuf> tracked = tracker;
    if (tracked != null) {
      boolean ignored = tracked.close(this);
    }
    kept.release();
  }

  @Override
  public ByteBuf touch(@Nullable Object hint) {
    ResourceLeakTracker<ReceivedBuf> tracked = tracker;
    if (tracked != null) {
      tracked.record(hint);
    }
    return this;
  }

  @Override
  public ByteBuf touch() {
    return touch(null);
  }

  @Override
  public int capacity() {
    return view.capacity();
  }

  @Override
  public ByteBuf capacity(int bytes) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public ByteBufAllocator alloc() {
    return UnpooledByteBufAllocator.DEFAULT;
  }

  @Override
  public ByteOrder order() {
    return ByteOrder.BIG_ENDIAN;
  }

  @Override
  public @Nullable ByteBuf unwrap() {
    return null;
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  @Override
  public boolean isWritable(int bytes) {
    return false;
  }

  @Override
  public ByteBuf ensureWritable(int bytes) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public int ensureWritable(int bytes, boolean force) {
    return 1; // unchanged, as other read-only buffers return
  }

  @Override
  public boolean isDirect() {
    return view.isDirect();
  }

  @Override
  public boolean hasArray() {
    return false;
  }

  @Override
  public byte[] array() {
    throw new ReadOnlyBufferException();
  }

  @Override
  public int arrayOffset() {
    throw new ReadOnlyBufferException();
  }

  @Override
  public boolean hasMemoryAddress() {
    return view.hasMemoryAddress();
  }

  @Override
  public long memoryAddress() {
    ensureAccessible();
    return view.memoryAddress();
  }

  // ---- reading ----

  @Override
  protected byte _getByte(int index) {
    return view.getByte(index);
  }

  @Override
  protected short _getShort(int index) {
    return view.getShort(index);
  }

  @Override
  protected short _getShortLE(int index) {
    return view.getShortLE(index);
  }

  @Override
  protected int _getUnsignedMedium(int index) {
    return view.getUnsignedMedium(index);
  }

  @Override
  protected int _getUnsignedMediumLE(int index) {
    return view.getUnsignedMediumLE(index);
  }

  @Override
  protected int _getInt(int index) {
    return view.getInt(index);
  }

  @Override
  protected int _getIntLE(int index) {
    return view.getIntLE(index);
  }

  @Override
  protected long _getLong(int index) {
    return view.getLong(index);
  }

  @Override
  protected long _getLongLE(int index) {
    return view.getLongLE(index);
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuf target, int targetIndex, int length) {
    checkDstIndex(index, length, targetIndex, target.capacity());
    view.getBytes(index, target, targetIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, byte[] target, int targetIndex, int length) {
    checkDstIndex(index, length, targetIndex, target.length);
    view.getBytes(index, target, targetIndex, length);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, ByteBuffer target) {
    checkIndex(index, target.remaining());
    view.getBytes(index, target);
    return this;
  }

  @Override
  public ByteBuf getBytes(int index, OutputStream target, int length) throws IOException {
    checkIndex(index, length);
    view.getBytes(index, target, length);
    return this;
  }

  @Override
  public int getBytes(int index, GatheringByteChannel target, int length) throws IOException {
    checkIndex(index, length);
    return view.getBytes(index, target, length);
  }

  @Override
  public int getBytes(int index, FileChannel target, long position, int length) throws IOException {
    checkIndex(index, length);
    return view.getBytes(index, target, position, length);
  }

  @Override
  public ByteBuf copy(int index, int length) {
    checkIndex(index, length);
    return view.copy(index, length);
  }

  @Override
  public int nioBufferCount() {
    return 1;
  }

  @Override
  public ByteBuffer nioBuffer(int index, int length) {
    checkIndex(index, length);
    return view.nioBuffer(index, length);
  }

  @Override
  public ByteBuffer internalNioBuffer(int index, int length) {
    return nioBuffer(index, length);
  }

  @Override
  public ByteBuffer[] nioBuffers(int index, int length) {
    return new ByteBuffer[] {nioBuffer(index, length)};
  }

  // ---- writing ----

  @Override
  protected void _setByte(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setShort(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setShortLE(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setMedium(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setMediumLE(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setInt(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setIntLE(int index, int value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setLong(int index, long value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  protected void _setLongLE(int index, long value) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuf source, int sourceIndex, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public ByteBuf setBytes(int index, byte[] source, int sourceIndex, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public ByteBuf setBytes(int index, ByteBuffer source) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public int setBytes(int index, InputStream source, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public int setBytes(int index, ScatteringByteChannel source, int length) {
    throw new ReadOnlyBufferException();
  }

  @Override
  public int setBytes(int index, FileChannel source, long position, int length) {
    throw new ReadOnlyBufferException();
  }
}
