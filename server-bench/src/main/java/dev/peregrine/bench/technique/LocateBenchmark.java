package dev.peregrine.bench.technique;

import dev.peregrine.protocol.grammar.Swar;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * Finds the place of the first match in a word that a search by words returns: the highest bit of
 * each matching byte is set, and at least one matches. The byte at that place is then read, as in a
 * parser.
 */
public class LocateBenchmark extends Technique {
  private static final int WORDS = 4096; // more than a branch predictor can learn
  private static final int SEED = 3;
  private static final long LOW_HALF = 0xFFFF_FFFFL;
  private static final long LOW_QUARTER = 0xFFFFL;
  private static final long LOW_BYTE = 0xFFL;

  /**
   * The place of each match in a byte of its own: a multiplication moves one of them to the top.
   */
  private static final long PLACES = 0x0001_0203_0405_0607L;

  private final long[] matches = new long[WORDS];
  private final byte[] text = new byte[WORDS * Long.BYTES];

  /** Draws the matches, and checks that all forms find the same places. */
  @Setup
  public void setUp() {
    Random random = new Random(SEED);
    random.nextBytes(text);
    for (int i = 0; i < WORDS; i++) {
      long match = 0x80L << (Byte.SIZE * random.nextInt(Long.BYTES));
      matches[i] = match | (random.nextLong() & Swar.HIGH_BITS & -match);
      int place = Long.numberOfTrailingZeros(match) / Byte.SIZE;
      checkEqual(place, loop(matches[i]), halves(matches[i]), product(matches[i]));
      checkEqual(place, Swar.index(matches[i]));
    }
    checkEqual(loop(), binarySearch(), multiplication(), trailingZeros());
  }

  /** One byte after the other. */
  @Benchmark
  @OperationsPerInvocation(WORDS)
  public int loop() {
    int sum = 0;
    for (int i = 0; i < WORDS; i++) {
      sum += text[i * Long.BYTES + loop(matches[i])];
    }
    return sum;
  }

  /** Halves, quarters, bytes. */
  @Benchmark
  @OperationsPerInvocation(WORDS)
  public int binarySearch() {
    int sum = 0;
    for (int i = 0; i < WORDS; i++) {
      sum += text[i * Long.BYTES + halves(matches[i])];
    }
    return sum;
  }

  /** The lowest bit times a constant; its highest byte is the place. */
  @Benchmark
  @OperationsPerInvocation(WORDS)
  public int multiplication() {
    int sum = 0;
    for (int i = 0; i < WORDS; i++) {
      sum += text[i * Long.BYTES + product(matches[i])];
    }
    return sum;
  }

  /** The server's way: one instruction, and a shift. */
  @Benchmark
  @OperationsPerInvocation(WORDS)
  public int trailingZeros() {
    int sum = 0;
    for (int i = 0; i < WORDS; i++) {
      sum += text[i * Long.BYTES + Swar.index(matches[i])];
    }
    return sum;
  }

  private static int loop(long match) {
    int place = 0;
    for (long left = match; (left & LOW_BYTE) == 0; left >>>= Byte.SIZE) {
      place++;
    }
    return place;
  }

  private static int halves(long match) {
    long left = match;
    int place = 0;
    if ((left & LOW_HALF) == 0) {
      left >>>= Integer.SIZE;
      place += Integer.BYTES;
    }
    if ((left & LOW_QUARTER) == 0) {
      left >>>= Short.SIZE;
      place += Short.BYTES;
    }
    return (left & LOW_BYTE) == 0 ? place + 1 : place;
  }

  private static int product(long match) {
    long lowest = (match & -match) >>> (Byte.SIZE - 1);
    return (int) ((lowest * PLACES) >>> (Long.SIZE - Byte.SIZE));
  }
}
