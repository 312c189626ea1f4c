package dev.peregrine.server.transport.epoll;

import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LinuxMemory;
import dev.peregrine.server.memory.OwnMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory that is mapped from the system once system calls are linked. Before that it is the JVM's,
 * which returns it when the collector finds it unused: an arena clears its memory by code that is
 * interpreted at the start, which takes milliseconds.
 */
public final class MappedMemory extends OwnMemory {
  /** Creates a source. */
  public MappedMemory() {}

  @Override
  protected MemorySegment take(Arena arena, long bytes) {
    if (Linux.isReady()) {
      return LinuxMemory.map(arena, bytes);
    }
    return Linux.problem() == null
        ? MemorySegment.ofBuffer(ByteBuffer.allocateDirect(Math.toIntExact(bytes)))
        : arena.allocate(bytes);
  }
}
