package dev.peregrine.bench.corpus;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A corpus in native memory, at a page's begin, with room behind it as in a server's read buffer.
 *
 * @param segment the bytes, then {@link #SLACK_BYTES}
 * @param length bytes of the corpus
 */
public record NativeHeads(MemorySegment segment, int length) {
  /** The number of bytes after the last one that may be loaded, but have no influence. */
  public static final int SLACK_BYTES = 64;

  private static final int PAGE_BYTES = 4096;

  /** A copy that stays for as long as the process does. */
  public static NativeHeads of(byte[] bytes) {
    MemorySegment segment = Arena.global().allocate(bytes.length + SLACK_BYTES, PAGE_BYTES);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return new NativeHeads(segment, bytes.length);
  }
}
