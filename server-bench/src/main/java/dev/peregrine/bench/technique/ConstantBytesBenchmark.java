package dev.peregrine.bench.technique;

import dev.peregrine.bench.corpus.NativeHeads;
import dev.peregrine.parser.scan.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
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
  private static final MemorySegment ALL = Memory.ALL;
  private static final MemorySegment SOURCE = NativeHeads.of(BYTES).segment();
  private static final int TARGET_MASK = TARGET_BYTES - 1;

  @Param({"16", "64"})
  int bytes;

  private final long target = NativeHeads.of(new byte[TARGET_BYTES]).segment().address();
  private long[] words;
  private int next;

  /** Checks that all forms write the text. */
  @Setup
  public void setUp() {
    words = LongStream.range(0, bytes / Long.BYTES).map(n -> word((int) n)).toArray();
    checkWritten(copiedFromArray());
    checkWritten(copiedFromSegment());
    checkWritten(copiedByWords());
    checkWritten(storedConstants());
  }

  /** The server's way for a whole head: a bulk copy out of the heap. */
  @Benchmark
  public long copiedFromArray() {
    long to = next();
    MemorySegment.copy(BYTES, 0, ALL, ValueLayout.JAVA_BYTE, to, bytes);
    return to;
  }

  /** A bulk copy out of native memory. */
  @Benchmark
  public long copiedFromSegment() {
    long to = next();
    MemorySegment.copy(SOURCE, 0, ALL, to, bytes);
    return to;
  }

  /** A loop over words on the heap. */
  @Benchmark
  public long copiedByWords() {
    long to = next();
    for (int i = 0; i < words.length; i++) {
      ALL.set(WORD, to + (long) i * Long.BYTES, words[i]);
    }
    return to;
  }

  /** The server's way for Content-Length: words that are part of the code. */
  @Benchmark
  public long storedConstants() {
    long to = next();
    ALL.set(WORD, to, WORD_0);
    ALL.set(WORD, to + 8, WORD_1);
    if (bytes > SHORT_BYTES) {
      ALL.set(WORD, to + 16, WORD_2);
      ALL.set(WORD, to + 24, WORD_3);
      ALL.set(WORD, to + 32, WORD_4);
      ALL.set(WORD, to + 40, WORD_5);
      ALL.set(WORD, to + 48, WORD_6);
      ALL.set(WORD, to + 56, WORD_7);
    }
    return to;
  }

  private long next() {
    int offset = next;
    next = (offset + bytes) & TARGET_MASK;
    return target + offset;
  }

  private void checkWritten(long to) {
    for (int i = 0; i < bytes; i++) {
      check(Memory.byteAt(ALL, to + i) == BYTES[i], "byte " + i);
    }
    ALL.asSlice(to, bytes).fill((byte) 0);
  }

  private static long word(int n) {
    return Memory.word(TEXT.substring(Long.BYTES * n, Long.BYTES * (n + 1)));
  }
}
