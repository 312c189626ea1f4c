package dev.peregrine.netty;

import dev.peregrine.testing.Await;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Buffers of a test's own allocator, which no thread has a cache of. Expects their release. */
final class Buffers implements AfterEachCallback {
  private static final int PART_BYTES = 1024 * 1024;

  private final PooledByteBufAllocator pool = new PooledByteBufAllocator(true);

  /** Returns a buffer with that content. */
  ByteBuf direct(byte[] content) {
    return pool.directBuffer(Math.max(1, content.length)).writeBytes(content);
  }

  /** Returns an empty buffer for parts. */
  CompositeByteBuf composite() {
    return pool.compositeDirectBuffer();
  }

  /** Returns a buffer of two parts with that content. */
  CompositeByteBuf composite(byte[] content) {
    ByteBuf whole = direct(content);
    CompositeByteBuf parts = composite();
    parts.addComponent(true, whole.readRetainedSlice(content.length / 2));
    return parts.addComponent(true, whole);
  }

  /** Returns a buffer of two parts with that content, to which no part can be added. */
  ByteBuf unmodifiable(byte[] content) {
    ByteBuf whole = direct(content);
    ByteBuf first = whole.readRetainedSlice(content.length / 2);
    return Unpooled.wrappedUnmodifiableBuffer(first, whole.slice());
  }

  /** Returns a buffer of more bytes than an array can have: to copy it needs too much heap. */
  ByteBuf huge(boolean hasViews) {
    CompositeByteBuf huge = hasViews ? pool.compositeBuffer(Integer.MAX_VALUE) : new Viewless();
    ByteBuf part = direct(new byte[PART_BYTES]);
    while (Integer.MAX_VALUE - huge.readableBytes() >= PART_BYTES) {
      huge.addComponent(true, part.retainedDuplicate());
    }
    return huge.addComponent(true, part.readSlice(PART_BYTES - 1));
  }

  /** A buffer of the kind that has no {@link ByteBuf#nioBuffers} of its bytes. */
  private static final class Viewless extends CompositeByteBuf {
    Viewless() {
      super(Unpooled.EMPTY_BUFFER.alloc(), true, Integer.MAX_VALUE);
    }

    @Override
    public int nioBufferCount() {
      return -1;
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Await.until(
        () -> pool.pinnedDirectMemory() + " bytes of buffers are left",
        () -> pool.pinnedDirectMemory() == 0);
  }
}
