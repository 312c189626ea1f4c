package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.grammar.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Puts text that never changes into a response: copied from memory, or stored as constants. */
public class ConstantBytesBenchmark extends Technique {
  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final String TEXT =
      "Content-Length: \r\nCache-Control: no-store, max-age=0, private\r\n\r\n".substring(0, 64);
  private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.US_ASCII);
  private static final long WORD_0 = word(0);
  private static final long WORD_1 = word(1);
  private static final long WORD_2 = word(2);
  private static final long WORD_3 = word(3);
  private static final long WORD_4 = word(4);
  private static final long WORD_5 = word(5);
  private static final long WORD_6 = word(6);
  private static final long WORD_7 = word(7);
  private static final int SHORT_BYTES = 16;
  private static final int TARGET_BYTES = 16 * 1024;
  private static final MemorySegment SOURCE = NativeHeads.of(BYTES).segment();

  @Param({"16", "64"})
  int bytes;

  private final MemorySegment target = NativeHeads.of(new byte[TARGET_BYTES]).segment();
  private int at;

  /** Makes sure that all forms write the text. */
  @Setup
  public void setUp() {
    checkWritten(copiedFromArray());
    checkWritten(copiedFromSegment());
    checkWritten(copiedByWords());
    checkWritten(storedConstants());
  }

  /** A bulk copy out of the heap. */
  @Benchmark
  public int copiedFromArray() {
    int to = next();
    MemorySegment.copy(BYTES, 0, target, ValueLayout.JAVA_BYTE, to, bytes);
    return to;
  }

  /** The server's way for its preamble: a bulk copy out of native memory. */
  @Benchmark
  public int copiedFromSegment() {
    int to = next();
    MemorySegment.copy(SOURCE, 0, target, to, bytes);
    return to;
  }

  /** A loop that copies words. */
  @Benchmark
  public int copiedByWords() {
    int to = next();
    for (int i = 0; i < bytes; i += Long.BYTES) {
      target.set(WORD, to + i, SOURCE.get(WORD, i));
    }
    return to;
  }

  /** The server's way for Content-Length: words that are part of the code. */
  @Benchmark
  public int storedConstants() {
    int to = next();
    target.set(WORD, to, WORD_0);
    target.set(WORD, to + 8, WORD_1);
    if (bytes > SHORT_BYTES) {
      target.set(WORD, to + 16, WORD_2);
      target.set(WORD, to + 24, WORD_3);
      target.set(WORD, to + 32, WORD_4);
      target.set(WORD, to + 40, WORD_5);
      target.set(WORD, to + 48, WORD_6);
      target.set(WORD, to + 56, WORD_7);
    }
    return to;
  }

  private int next() {
    int to = at;
    at = (to + bytes) & (TARGET_BYTES - 1);
    return to;
  }

  private void checkWritten(int to) {
    for (int i = 0; i < bytes; i++) {
      check(Memory.byteAt(target, to + i) == BYTES[i], "byte " + i);
    }
    target.fill((byte) 0);
  }

  private static long word(int n) {
    return Memory.word(TEXT.substring(Long.BYTES * n, Long.BYTES * (n + 1)));
  }
}
