package dev.peregrine.bench.corpus;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Content in native memory, as the server receives it. */
public final class NativeBytes {
  private static final int ALIGNMENT = 64;

  private NativeBytes() {}

  /** Returns a copy of content. */
  public static MemorySegment of(byte[] content) {
    return at(0, content);
  }

  /** Returns memory that begins a cache line, with a copy of content at an index. */
  public static MemorySegment at(int index, byte[] content) {
    MemorySegment memory = Arena.ofAuto().allocate(index + content.length, ALIGNMENT);
    MemorySegment.copy(MemorySegment.ofArray(content), 0, memory, index, content.length);
    return memory;
  }
}
