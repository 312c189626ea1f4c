package dev.peregrine.bench.technique;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.protocol.HttpMethod;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Recognises method and version: from longs in several ways, and by strings. */
public class RequestLineBenchmark extends Technique {
  private static final int LINES = 16 * 1024; // more than a branch predictor can learn
  private static final int LINE_BYTES = 32;
  private static final int SEED = 5;
  private static final List<HttpMethod> METHODS = List.of(HttpMethod.values());
  private static final int OTHER = METHODS.size() - 1;
  private static final long FIRST_THREE_BYTES = 0xFF_FFFF;
  private static final long VERSION = Memory.word("HTTP/1.1");
  private static final long[] WORDS = new long[OTHER];
  private static final long[] MASKS = new long[OTHER];
  private static final Map<String, Integer> BY_NAME = new HashMap<>();

  static {
    for (HttpMethod method : METHODS) {
      int code = BY_NAME.size();
      if (code < OTHER) {
        WORDS[code] = Memory.word(method.name() + ' ');
        MASKS[code] = -1L >>> (Long.SIZE - Byte.SIZE * (method.name().length() + 1));
      }
      BY_NAME.put(method.name(), code);
    }
  }

  private static final int MODULUS = modulus();
  private static final byte[] BY_REMAINDER = new byte[MODULUS];

  static {
    for (byte code = 0; code < OTHER; code++) {
      BY_REMAINDER[remainder(WORDS[code])] = code;
    }
  }

  /** Mixed: one in two GET, one in four POST, the others evenly. */
  @Param({"get", "mixed"})
  String methods;

  private MemorySegment bytes;
  private long from;
  private long to;

  /** Lays request lines out and checks that all forms recognise them. */
  @Setup
  public void setUp() {
    Random random = new Random(SEED);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      int which = methods.equals("get") ? 0 : random.nextInt(4);
      String method =
          switch (which) {
            case 0, 1 -> "GET";
            case 2 -> "POST";
            default -> METHODS.get(random.nextInt(OTHER)).name();
          };
      String line = method + " /some/path HTTP/1.1\r\n";
      text.append(line).append(" ".repeat(LINE_BYTES - line.length()));
    }
    Input lines = Input.of(text.toString().getBytes(StandardCharsets.US_ASCII));
    bytes = lines.bytes();
    from = lines.from();
    to = lines.to();
    checkEqual(strings(), maskedComparisons(), remainders());
    checkEqual(strings(), getThenPerfectHash(), perfectHash());
  }

  /** Creates a string of each, looks it up and compares it. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public int strings() {
    int sum = 0;
    for (long at = from; at < to; at += LINE_BYTES) {
      long end = at;
      while (Memory.byteAt(bytes, end) != ' ') {
        end++;
      }
      Integer code = BY_NAME.get(string(at, end));
      long version = versionAt(end);
      boolean modern = string(version, version + Long.BYTES).equals("HTTP/1.1");
      sum += (code == null ? OTHER : code) + (modern ? 1 : 0);
    }
    return sum;
  }

  /** One masked comparison after the other. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public int maskedComparisons() {
    int sum = 0;
    for (long at = from; at < to; at += LINE_BYTES) {
      sum += withVersion(at, compared(Memory.longAt(bytes, at)));
    }
    return sum;
  }

  /** A perfect hash by the remainder of a division, then one masked comparison. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public int remainders() {
    int sum = 0;
    for (long at = from; at < to; at += LINE_BYTES) {
      long word = Memory.longAt(bytes, at);
      int code = BY_REMAINDER[remainder(word)];
      sum += withVersion(at, (word & MASKS[code]) == WORDS[code] ? code : OTHER);
    }
    return sum;
  }

  /** A comparison with GET; if that fails, the perfect hash. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public int getThenPerfectHash() {
    int sum = 0;
    for (long at = from; at < to; at += LINE_BYTES) {
      long word = Memory.longAt(bytes, at);
      sum += withVersion(at, (word & MASKS[0]) == WORDS[0] ? 0 : Methods.find(word));
    }
    return sum;
  }

  /** The server's way: a perfect hash by multiplication, then one masked comparison. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public int perfectHash() {
    int sum = 0;
    for (long at = from; at < to; at += LINE_BYTES) {
      sum += withVersion(at, Methods.find(Memory.longAt(bytes, at)));
    }
    return sum;
  }

  private static int compared(long word) {
    for (int code = 0; code < OTHER; code++) {
      if ((word & MASKS[code]) == WORDS[code]) {
        return code;
      }
    }
    return OTHER;
  }

  private int withVersion(long at, int code) {
    long end = at + Long.numberOfTrailingZeros(MASKS[code] + 1) / Byte.SIZE - 1;
    return code + (Memory.longAt(bytes, versionAt(end)) == VERSION ? 1 : 0);
  }

  private static long versionAt(long methodEnd) {
    return methodEnd + " /some/path ".length();
  }

  private String string(long start, long end) {
    byte[] copy = new byte[(int) (end - start)];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, start, copy, 0, copy.length);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }

  private static int remainder(long word) {
    return (int) (word & FIRST_THREE_BYTES) % MODULUS;
  }

  /** Returns the least divisor for which no two methods have the same remainder. */
  private static int modulus() {
    for (int modulus = OTHER; modulus <= Long.SIZE; modulus++) {
      long taken = 0;
      for (long word : WORDS) {
        taken |= 1L << ((word & FIRST_THREE_BYTES) % modulus);
      }
      if (Long.bitCount(taken) == OTHER) {
        return modulus;
      }
    }
    throw new IllegalStateException(
        "no divisor up to " + Long.SIZE + " tells the methods' first three bytes apart");
  }
}
