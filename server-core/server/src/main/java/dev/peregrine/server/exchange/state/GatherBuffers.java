package dev.peregrine.server.exchange.state;

import dev.peregrine.base.IdleSlots;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The buffers in which output streams gather content, so that long responses of blocking handlers
 * cost no garbage of their length. One per event loop; any thread may use it.
 */
public final class GatherBuffers implements Consumer<ByteBuffer> {
  /** The length of a buffer. */
  public static final int BYTES = 16 * 1024;

  private static final int IDLE_MAX = 16; // 256 KiB

  private final IdleSlots<ByteBuffer> idle = new IdleSlots<>(IDLE_MAX);

  /** Returns an empty buffer, backed by an array. It may be lost instead of being given back. */
  public ByteBuffer take() {
    ByteBuffer found = idle.poll();
    return found == null ? ByteBuffer.allocate(BYTES) : found.clear();
  }

  /** Takes a buffer back, which must not be used any more. */
  @Override
  public void accept(ByteBuffer unused) {
    boolean _ = idle.offer(unused);
  }
}
