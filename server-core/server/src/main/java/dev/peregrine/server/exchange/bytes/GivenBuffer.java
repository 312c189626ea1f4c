package dev.peregrine.server.exchange.bytes;

import dev.peregrine.server.memory.lease.BufferMemory;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A buffer that the application passes on to be sent, and that an event loop may read later. */
public final class GivenBuffer {
  private GivenBuffer() {}

  /**
   * Checks that a buffer can be sent.
   *
   * @throws IllegalStateException if the buffer's arena is closed
   * @throws IllegalArgumentException if only one thread may use the buffer's arena
   */
  public static void check(ByteBuffer content) {
    BufferMemory.checkUsable(Objects.requireNonNull(content, "content"));
  }
}
