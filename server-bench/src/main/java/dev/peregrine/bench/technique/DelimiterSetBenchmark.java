package dev.peregrine.bench.technique;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.vector.VectorScanner;
import dev.peregrine.protocol.grammar.Swar;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Finds the first of one to three delimiters: in one pass for all, or in one for each. */
public class DelimiterSetBenchmark extends Technique {
  private static final int LINE_BYTES = 40;
  private static final byte LF = '\n';
  private static final byte CR = '\r';
  private static final byte COLON = ':';
  private static final long LFS = Swar.repeat(LF);
  private static final long CRS = Swar.repeat(CR);
  private static final long COLONS = Swar.repeat(COLON);

  @Param({"1", "2", "3"})
  int delimiters;

  private final VectorScanner vector = new VectorScanner();
  private final boolean[] table = new boolean[256];
  private MemorySegment bytes;
  private long from;
  private long to;

  /** Lays the lines out and checks that all forms find their ends. */
  @Setup
  public void setUp() {
    String which = "\n\r:".substring(0, delimiters);
    which.chars().forEach(delimiter -> table[delimiter] = true);
    Input lines = Input.of(Lines.ofAbout(LINE_BYTES, which));
    bytes = lines.bytes();
    from = lines.from();
    to = lines.to();
    checkEqual(byteLoop(), tableLoop(), passForEach(), onePassWords(), onePassVectors());
  }

  /** Compares each byte with each delimiter. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long byteLoop() {
    boolean two = delimiters >= 2;
    boolean three = delimiters == 3;
    long sum = 0;
    for (long at = from; at < to; at++) {
      byte value = Memory.byteAt(bytes, at);
      if (value == LF || (two && value == CR) || (three && value == COLON)) {
        sum += at;
      }
    }
    return sum;
  }

  /** Looks each byte up in a table. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long tableLoop() {
    long sum = 0;
    for (long at = from; at < to; at++) {
      if (table[Memory.byteAt(bytes, at) & 0xFF]) {
        sum += at;
      }
    }
    return sum;
  }

  /** The vectors' search, once for each delimiter, each no further than the last one found. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long passForEach() {
    long sum = 0;
    for (long at = from; at < to; at++) {
      long end = vector.indexOf(LF, bytes, at, to);
      if (delimiters >= 2) {
        end = vector.indexOf(CR, bytes, at, end);
      }
      if (delimiters == 3) {
        end = vector.indexOf(COLON, bytes, at, end);
      }
      sum += end;
      at = end;
    }
    return sum;
  }

  /** Eight bytes at a time, compared with each delimiter. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long onePassWords() {
    long sum = 0;
    for (long at = from; at < to; at++) {
      at = firstByWords(at);
      sum += at;
    }
    return sum;
  }

  /** 64 bytes at a time, compared with each delimiter. */
  @Benchmark
  @OperationsPerInvocation(Lines.COUNT)
  public long onePassVectors() {
    long sum = 0;
    for (long at = from; at < to; at++) {
      at = firstByVectors(at);
      sum += at;
    }
    return sum;
  }

  // the last byte is a delimiter, and 64 more bytes follow it

  private long firstByWords(long start) {
    long at = start;
    while (true) {
      long word = Memory.longAt(bytes, at);
      long hits = Swar.zeros(word ^ LFS);
      if (delimiters >= 2) {
        hits |= Swar.zeros(word ^ CRS);
      }
      if (delimiters == 3) {
        hits |= Swar.zeros(word ^ COLONS);
      }
      if (hits != 0) {
        return at + Long.numberOfTrailingZeros(hits) / Byte.SIZE;
      }
      at += Long.BYTES;
    }
  }

  private long firstByVectors(long start) {
    long at = start;
    while (true) {
      long hits = vector.equalTo(LF, bytes, at);
      if (delimiters >= 2) {
        hits |= vector.equalTo(CR, bytes, at);
      }
      if (delimiters == 3) {
        hits |= vector.equalTo(COLON, bytes, at);
      }
      if (hits != 0) {
        return at + Long.numberOfTrailingZeros(hits);
      }
      at += VectorScanner.STRIDE;
    }
  }
}
