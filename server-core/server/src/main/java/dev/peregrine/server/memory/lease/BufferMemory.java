package dev.peregrine.server.memory.lease;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The lifetime of the memory of the application's buffers. That of an arena which can be closed
 * must only be read by calls that check it: a system call would read whatever lies there later.
 */
public final class BufferMemory {
  // The API doesn't tell whether a scope can be closed, so these are the kinds of those that can't.
  private static final Class<?> BUFFER = kind(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(1)));
  private static final Class<?> AUTOMATIC = kind(Arena.ofAuto().allocate(1));
  private static final Class<?> GLOBAL = kind(MemorySegment.NULL);

  /** False if the kinds don't differ from those that can be closed: then no memory counts. */
  private static final boolean TELLS =
      isKnown(kind(MemorySegment.NULL)) // both arenas are empty, and left to the collector
          && !isKnown(Arena.ofShared().scope().getClass())
          && !isKnown(Arena.ofConfined().scope().getClass());

  private static final Thread ANOTHER = Thread.ofPlatform().unstarted(() -> {});

  private BufferMemory() {}

  private static Class<?> kind(MemorySegment memory) {
    return memory.scope().getClass();
  }

  private static boolean isKnown(Class<?> kind) {
    return kind == BUFFER || kind == AUTOMATIC || kind == GLOBAL;
  }

  /** Returns true if the memory lives as long as a buffer refers to it, whatever anybody calls. */
  private static boolean isLasting(MemorySegment memory) {
    return TELLS && isKnown(kind(memory));
  }

  /** Returns true if the memory of a buffer lives as long as the buffer. */
  public static boolean isLasting(ByteBuffer buffer) {
    return !buffer.isDirect() || isLasting(MemorySegment.ofBuffer(buffer));
  }

  /**
   * Checks that the bytes of a buffer can be sent later, by an event loop.
   *
   * @throws IllegalStateException if the buffer's arena is closed
   * @throws IllegalArgumentException if only one thread may use the buffer's arena
   */
  public static void checkUsable(ByteBuffer buffer) {
    if (!isLasting(buffer)) {
      MemorySegment memory = MemorySegment.ofBuffer(buffer);
      if (!memory.scope().isAlive()) {
        throw new IllegalStateException("the arena of the buffer is closed");
      }
      if (!memory.isAccessibleBy(ANOTHER)) {
        throw new IllegalArgumentException(
            "the arena of the buffer is confined to a thread, so event loops can't read it: use"
                + " Arena.ofAuto");
      }
    }
  }
}
