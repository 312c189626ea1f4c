package dev.peregrine.bench.corpus;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A corpus in native memory, at the begin of a page, followed by slack as in a server's read
 * buffer.
 *
 * @param segment the bytes, then {@link #SLACK_BYTES}
 * @param length bytes of the corpus
 */
public record NativeHeads(MemorySegment segment, int length) {
  /** The number of bytes after the last one that may be loaded, without an effect on results. */
  public static final int SLACK_BYTES = 64;

  private static final int PAGE_BYTES = 4096;

  /** Copies bytes into memory that is never freed. */
  public static NativeHeads of(byte[] bytes) {
    MemorySegment segment = Arena.global().allocate(bytes.length + SLACK_BYTES, PAGE_BYTES);
    MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
    return new NativeHeads(segment, bytes.length);
  }
}
