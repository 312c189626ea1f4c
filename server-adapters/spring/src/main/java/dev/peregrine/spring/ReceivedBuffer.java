package dev.peregrine.spring;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RetainedBytes;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.PooledDataBuffer;

/**
 * Received bytes in the memory of the event loop, which goes back when the last reference is
 * released. Every use after that throws {@link IllegalStateException}, because the memory then has
 * bytes of other clients. Its bytes can't be written to; what is appended moves them to a copy.
 */
final class ReceivedBuffer implements PooledDataBuffer {
  /** A piece below this many bytes is copied, because a lease costs more. */
  private static final int RETAINED_MIN = 16 * 1024;

  private final DataBuffer content;
  private final Lease lease;

  private ReceivedBuffer(DataBuffer content, Lease lease) {
    this.content = content;
    this.lease = lease;
  }

  /** Returns a buffer that outlives the call that received the bytes. */
  static DataBuffer of(Bytes received, DataBufferFactory buffers) {
    if (received.length() < RETAINED_MIN) {
      return buffers.wrap(received.toArray());
    }
    RetainedBytes kept = received.retain();
    DataBuffer content = DefaultDataBufferFactory.sharedInstance.wrap(kept.buffer());
    return new ReceivedBuffer(content, new Lease(kept));
  }

  /** The references to the retained bytes, which the parts of a buffer share. */
  private static final class Lease extends AtomicInteger {
    private static final long serialVersionUID = 1L;
    private final transient RetainedBytes kept;

    Lease(RetainedBytes kept) {
      super(1);
      this.kept = kept;
    }

    void retain() {
      if (getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
        throw released();
      }
    }

    boolean release() {
      int before = getAndUpdate(count -> count == 0 ? 0 : count - 1);
      if (before == 0) {
        throw released();
      }
      if (before == 1) {
        kept.release();
      }
      return before == 1;
    }
  }

  private static IllegalStateException released() {
    return new IllegalStateException("the buffer was released");
  }

  /** Returns the content, unless it was released. */
  private DataBuffer live() {
    if (lease.get() == 0) {
      throw released();
    }
    return content;
  }

  // ---- references ----

  @Override
  public boolean isAllocated() {
    return lease.get() > 0;
  }

  @Override
  public PooledDataBuffer retain() {
    lease.retain();
    return this;
  }

  @Override
  public PooledDataBuffer touch(Object hint) {
    return this;
  }

  @Override
  public boolean release() {
    return lease.release();
  }

  @Override
  public DataBuffer split(int index) {
    DataBuffer before = live().split(index);
    lease.retain();
    return new ReceivedBuffer(before, lease);
  }

  @Override
  @Deprecated
  public DataBuffer slice(int index, int length) {
    return new ReceivedBuffer(live().slice(index, length), lease);
  }

  @Override
  @Deprecated
  public DataBuffer retainedSlice(int index, int length) {
    DataBuffer slice = slice(index, length);
    lease.retain();
    return slice;
  }

  // ---- content ----

  @Override
  public DataBufferFactory factory() {
    return content.factory();
  }

  @Override
  public int indexOf(IntPredicate predicate, int fromIndex) {
    return live().indexOf(predicate, fromIndex);
  }

  @Override
  public int lastIndexOf(IntPredicate predicate, int fromIndex) {
    return live().lastIndexOf(predicate, fromIndex);
  }

  @Override
  public int readableByteCount() {
    return content.readableByteCount();
  }

  @Override
  public int writableByteCount() {
    return content.writableByteCount();
  }

  @Override
  public int capacity() {
    return content.capacity();
  }

  @Override
  @Deprecated
  public DataBuffer capacity(int capacity) {
    live().capacity(capacity);
    return this;
  }

  @Override
  public DataBuffer ensureWritable(int capacity) {
    live().ensureWritable(capacity);
    return this;
  }

  @Override
  public int readPosition() {
    return content.readPosition();
  }

  @Override
  public DataBuffer readPosition(int readPosition) {
    live().readPosition(readPosition);
    return this;
  }

  @Override
  public int writePosition() {
    return content.writePosition();
  }

  @Override
  public DataBuffer writePosition(int writePosition) {
    live().writePosition(writePosition);
    return this;
  }

  @Override
  public byte getByte(int index) {
    return live().getByte(index);
  }

  @Override
  public byte read() {
    return live().read();
  }

  @Override
  public DataBuffer read(byte[] destination) {
    live().read(destination);
    return this;
  }

  @Override
  public DataBuffer read(byte[] destination, int offset, int length) {
    live().read(destination, offset, length);
    return this;
  }

  @Override
  public DataBuffer write(byte b) {
    live().write(b);
    return this;
  }

  @Override
  public DataBuffer write(byte[] source) {
    live().write(source);
    return this;
  }

  @Override
  public DataBuffer write(byte[] source, int offset, int length) {
    live().write(source, offset, length);
    return this;
  }

  @Override
  public DataBuffer write(DataBuffer... sources) {
    live().write(sources);
    return this;
  }

  @Override
  public DataBuffer write(ByteBuffer... sources) {
    live().write(sources);
    return this;
  }

  @Override
  @Deprecated
  public ByteBuffer asByteBuffer() {
    return live().asByteBuffer();
  }

  @Override
  @Deprecated
  public ByteBuffer asByteBuffer(int index, int length) {
    return live().asByteBuffer(index, length);
  }

  @Override
  @Deprecated
  public ByteBuffer toByteBuffer(int index, int length) {
    return live().toByteBuffer(index, length);
  }

  @Override
  public void toByteBuffer(int srcPos, ByteBuffer dest, int destPos, int length) {
    live().toByteBuffer(srcPos, dest, destPos, length);
  }

  @Override
  public ByteBufferIterator readableByteBuffers() {
    return live().readableByteBuffers();
  }

  @Override
  public ByteBufferIterator writableByteBuffers() {
    return live().writableByteBuffers();
  }

  @Override
  public String toString(int index, int length, Charset charset) {
    return live().toString(index, length, charset);
  }

  @Override
  public String toString() {
    return "received " + content;
  }
}
