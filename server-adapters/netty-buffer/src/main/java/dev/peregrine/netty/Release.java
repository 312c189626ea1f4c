package dev.peregrine.netty;

import dev.peregrine.http.ResponseStream;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The readable bytes of a buffer in parts, for a method that sends. Releases the buffer once, when
 * all parts have been given back, and also if it can't be made because the heap is full.
 * Thread-safe.
 *
 * <p>Holds the buffer by a reference of its own as well: Netty frees memory at the last release,
 * and the loop reads the parts by their address. A sender that releases the buffer, too, would have
 * it read what lies there later, or memory that is gone.
 */
final class Release implements Consumer<ByteBuffer> {
  private final ByteBuf content;
  private final ByteBuffer[] parts;
  private final AtomicInteger left;

  private Release(ByteBuf content, ByteBuffer[] parts) {
    this.content = content;
    this.parts = parts;
    this.left = new AtomicInteger(parts.length);
  }

  /** For the bytes as they lie. A buffer that has no view of them is copied. */
  static Release ofParts(ByteBuf content) {
    ByteBuf held = content.retain();
    try {
      return new Release(held, content.nioBufferCount() < 0 ? copy(content) : views(content));
    } catch (Throwable failure) {
      release(held);
      throw failure;
    }
  }

  /** For all bytes in one part. Those of a composite buffer are copied. */
  static Release ofWhole(ByteBuf content) {
    ByteBuf held = content.retain();
    try {
      return new Release(held, content.nioBufferCount() == 1 ? views(content) : copy(content));
    } catch (Throwable failure) {
      release(held);
      throw failure;
    }
  }

  /** Returns at least one view: a buffer without readable bytes may have none, but an end. */
  private static ByteBuffer[] views(ByteBuf content) {
    return content.isReadable() ? content.nioBuffers() : copy(content);
  }

  private static ByteBuffer[] copy(ByteBuf content) {
    ByteBuffer copy = ByteBuffer.allocate(content.readableBytes());
    content.getBytes(content.readerIndex(), copy);
    return new ByteBuffer[] {copy.flip()};
  }

  boolean isWhole() {
    return parts.length == 1;
  }

  /** The first part, the only one of a whole buffer. */
  ByteBuffer first() {
    return parts[0];
  }

  /** Passes all parts on. */
  void writeTo(ResponseStream stream) {
    int passed = 0;
    try {
      while (passed < parts.length) {
        stream.write(parts[passed++], this);
      }
    } finally {
      end(parts.length - passed);
    }
  }

  @Override
  public void accept(ByteBuffer sent) {
    end(1);
  }

  /** None of the parts will be passed on. */
  void endAll() {
    end(parts.length);
  }

  private void end(int count) {
    if (count > 0 && left.addAndGet(-count) == 0) {
      release(content);
    }
  }

  /** Ends both references, one after the other: the second one may have been the sender's. */
  private static void release(ByteBuf held) {
    held.release();
    held.release();
  }
}
