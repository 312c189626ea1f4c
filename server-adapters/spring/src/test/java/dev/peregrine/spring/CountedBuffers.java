package dev.peregrine.spring;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferWrapper;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.PooledDataBuffer;

/** Buffers that must be released, and are counted until they are. */
final class CountedBuffers implements DataBufferFactory {
  private final DefaultDataBufferFactory buffers = DefaultDataBufferFactory.sharedInstance;
  private final AtomicInteger live = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();

  int live() {
    return live.get();
  }

  int made() {
    return made.get();
  }

  private DataBuffer count(DataBuffer buffer) {
    made.incrementAndGet();
    return new Counted(buffer);
  }

  @Override
  @Deprecated
  public DataBuffer allocateBuffer() {
    return count(buffers.allocateBuffer());
  }

  @Override
  public DataBuffer allocateBuffer(int initialCapacity) {
    return count(buffers.allocateBuffer(initialCapacity));
  }

  @Override
  public DataBuffer wrap(ByteBuffer bytes) {
    return count(buffers.wrap(bytes));
  }

  @Override
  public DataBuffer wrap(byte[] bytes) {
    return count(buffers.wrap(bytes));
  }

  @Override
  public DataBuffer join(List<? extends DataBuffer> parts) {
    DataBuffer joined = buffers.join(parts); // which releases them
    return count(joined);
  }

  @Override
  public boolean isDirect() {
    return false;
  }

  private final class Counted extends DataBufferWrapper implements PooledDataBuffer {
    private final AtomicInteger references = new AtomicInteger(1);

    Counted(DataBuffer delegate) {
      super(delegate);
      live.incrementAndGet();
    }

    @Override
    public DataBufferFactory factory() {
      return CountedBuffers.this;
    }

    @Override
    public boolean isAllocated() {
      return references.get() > 0;
    }

    @Override
    public PooledDataBuffer retain() {
      references.incrementAndGet();
      return this;
    }

    @Override
    public PooledDataBuffer touch(Object hint) {
      return this;
    }

    @Override
    public boolean release() {
      int left = references.decrementAndGet();
      if (left < 0) {
        throw new IllegalStateException("released twice");
      }
      if (left == 0) {
        live.decrementAndGet();
      }
      return left == 0;
    }

    @Override
    public DataBuffer split(int index) {
      return new Counted(super.split(index));
    }
  }
}
