package dev.peregrine.bench.technique;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Puts text that never changes into the array in which a response's head is written: copied, or
 * stored as constants.
 */
public class ConstantBytesBenchmark extends Technique {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final String TEXT =
      "Content-Length: \r\nCache-Control: no-store, max-age=0, private\r\n\r\n".substring(0, 64);
  private static final byte[] SHORT = TEXT.substring(0, 16).getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LONG = TEXT.getBytes(StandardCharsets.US_ASCII);
  private static final long WORD_0 = word(0);
  private static final long WORD_1 = word(1);
  private static final long WORD_2 = word(2);
  private static final long WORD_3 = word(3);
  private static final long WORD_4 = word(4);
  private static final long WORD_5 = word(5);
  private static final long WORD_6 = word(6);
  private static final long WORD_7 = word(7);
  private static final int TARGET_BYTES = 1024;
  private static final int TARGET_MASK = TARGET_BYTES - 1;

  @Param({"16", "64"})
  int bytes;

  private final byte[] target = new byte[TARGET_BYTES];
  private boolean isShort;
  private int next;

  /** Checks that all forms write the text. */
  @Setup
  public void setUp() {
    isShort = bytes == SHORT.length;
    checkWritten(copied(), "copied");
    checkWritten(copiedByBytes(), "copied by bytes");
    checkWritten(storedConstants(), "stored");
  }

  /** A bulk copy of an array that the compiler knows. */
  @Benchmark
  public int copied() {
    int to = next();
    if (isShort) {
      System.arraycopy(SHORT, 0, target, to, SHORT.length);
    } else {
      System.arraycopy(LONG, 0, target, to, LONG.length);
    }
    return to;
  }

  /** A loop over the bytes. */
  @Benchmark
  public int copiedByBytes() {
    int to = next();
    for (int i = 0; i < bytes; i++) {
      target[to + i] = LONG[i];
    }
    return to;
  }

  /** The server's way for Content-Length: words that are part of the code. */
  @Benchmark
  public int storedConstants() {
    int to = next();
    WORD.set(target, to, WORD_0);
    WORD.set(target, to + 8, WORD_1);
    if (!isShort) {
      WORD.set(target, to + 16, WORD_2);
      WORD.set(target, to + 24, WORD_3);
      WORD.set(target, to + 32, WORD_4);
      WORD.set(target, to + 40, WORD_5);
      WORD.set(target, to + 48, WORD_6);
      WORD.set(target, to + 56, WORD_7);
    }
    return to;
  }

  private int next() {
    int offset = next;
    next = (offset + bytes) & TARGET_MASK;
    return offset;
  }

  private void checkWritten(int to, String form) {
    check(Arrays.equals(target, to, to + bytes, LONG, 0, bytes), form);
    Arrays.fill(target, (byte) 0);
  }

  private static long word(int n) {
    return (long) WORD.get(LONG, Long.BYTES * n);
  }
}
