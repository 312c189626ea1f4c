package dev.peregrine.spring;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/** A buffer of the application that is released when all of its pieces have been taken. */
final class SentBuffer implements Consumer<ByteBuffer> {
  private final DataBuffer buffer;
  private final DataBuffer.ByteBufferIterator pieces;
  private final AtomicInteger holders = new AtomicInteger(1); // untaken pieces, and the writer

  SentBuffer(DataBuffer buffer) {
    this.buffer = buffer;
    this.pieces = buffer.readableByteBuffers();
  }

  /** Returns true if there is another piece. */
  boolean hasNext() {
    return pieces.hasNext();
  }

  /** Returns the next piece, for a call with this object as {@code whenSent}. */
  ByteBuffer next() {
    ByteBuffer piece = pieces.next();
    holders.incrementAndGet();
    return piece;
  }

  @Override
  public void accept(ByteBuffer taken) {
    release();
  }

  /** Ends the pieces: the writer has written all of them, or won't. */
  void release() {
    if (holders.decrementAndGet() == 0) {
      pieces.close();
      DataBufferUtils.release(buffer);
    }
  }
}
