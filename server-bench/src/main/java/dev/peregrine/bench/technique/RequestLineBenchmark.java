package dev.peregrine.bench.technique;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.scan.Methods;
import dev.peregrine.protocol.HttpMethod;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
  private static final int LINE_BYTES = 64;
  private static final int SEED = 5;
  private static final List<HttpMethod> METHODS = List.of(HttpMethod.values());
  private static final int OTHER = METHODS.size() - 1;
  private static final long FIRST_THREE_BYTES = 0xFF_FFFF;
  private static final long VERSION = Memory.word("HTTP/1.1");
  private static final List<String> UNKNOWN =
      List.of("PROPFIND", "REPORT", "PURGE", "MKCOL", "get", "GETS", "Post", "BASELINE-CONTROL");
  private static final List<String> INVALID =
      List.of("G@T", "\"GET\"", "GET/", "POST:", "(PUT)", "\u007fGET", "HE[D", "TRACE\t");
  private static final int MODERN = 0x40;
  private static final String TARGET = " /some/path ";
  private static final long[] WORDS = new long[OTHER];
  private static final long[] MASKS = new long[OTHER];
  private static final Map<String, Integer> BY_NAME = new HashMap<>();

  static {
    for (HttpMethod method : METHODS) {
      int code = BY_NAME.size();
      if (code < OTHER) {
        WORDS[code] = Memory.word(method.name() + ' ');
        MASKS[code] = -1L >>> (Long.SIZE - Byte.SIZE * (method.name().length() + 1));
        BY_NAME.put(method.name(), code);
      }
    }
  }

  private static final int MODULUS = modulus();
  private static final byte[] BY_REMAINDER = new byte[MODULUS];

  static {
    for (byte code = 0; code < OTHER; code++) {
      BY_REMAINDER[remainder(WORDS[code])] = code;
    }
  }

  /**
   * Mixed: one in two GET, one in four POST, the others evenly. Other: half unknown methods, half
   * no tokens; their lines are not examined further, because the server leaves them to other code.
   */
  @Param({"get", "mixed", "other"})
  String methods;

  private final byte[] found = new byte[LINES];
  private MemorySegment bytes;
  private long from;

  /** Lays request lines out and checks that all forms recognise each. */
  @Setup
  public void setUp() {
    Random random = new Random(SEED);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < LINES; i++) {
      String line = method(random) + TARGET + "HTTP/1.1\r\n";
      text.append(line).append(" ".repeat(LINE_BYTES - line.length()));
    }
    Input lines = Input.of(text.toString().getBytes(StandardCharsets.US_ASCII));
    bytes = lines.bytes();
    from = lines.from();
    byte[] expected = strings().clone();
    check(Arrays.equals(expected, maskedComparisons()), "masked comparisons");
    check(Arrays.equals(expected, remainders()), "remainders");
    check(Arrays.equals(expected, perfectHash()), "perfect hash");
    check(Arrays.equals(expected, getThenPerfectHash()), "get, then perfect hash");
  }

  private String method(Random random) {
    return switch (methods) {
      case "get" -> "GET";
      case "mixed" ->
          switch (random.nextInt(4)) {
            case 0, 1 -> "GET";
            case 2 -> "POST";
            default -> METHODS.get(random.nextInt(OTHER)).name();
          };
      default -> {
        List<String> names = random.nextBoolean() ? UNKNOWN : INVALID;
        yield names.get(random.nextInt(names.size()));
      }
    };
  }

  /** Creates a string of each, looks it up and compares it. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public byte[] strings() {
    for (int i = 0; i < LINES; i++) {
      long at = from + (long) i * LINE_BYTES;
      long end = methodEnd(at);
      Integer code = BY_NAME.get(string(at, end));
      found[i] = (byte) OTHER;
      if (code != null) {
        long version = end + TARGET.length();
        found[i] = result(code, string(version, version + Long.BYTES).equals("HTTP/1.1"));
      }
    }
    return found;
  }

  /** One masked comparison after the other. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public byte[] maskedComparisons() {
    for (int i = 0; i < LINES; i++) {
      long at = from + (long) i * LINE_BYTES;
      found[i] = withVersion(at, compared(Memory.longAt(bytes, at)));
    }
    return found;
  }

  /** A perfect hash by the remainder of a division, then one masked comparison. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public byte[] remainders() {
    for (int i = 0; i < LINES; i++) {
      long at = from + (long) i * LINE_BYTES;
      long word = Memory.longAt(bytes, at);
      int code = BY_REMAINDER[remainder(word)];
      found[i] = withVersion(at, (word & MASKS[code]) == WORDS[code] ? code : OTHER);
    }
    return found;
  }

  /** A perfect hash by multiplication, then one masked comparison. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public byte[] perfectHash() {
    for (int i = 0; i < LINES; i++) {
      long at = from + (long) i * LINE_BYTES;
      found[i] = withVersion(at, Methods.find(Memory.longAt(bytes, at)));
    }
    return found;
  }

  /** The server's way: a comparison with GET; if that fails, the perfect hash. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public byte[] getThenPerfectHash() {
    for (int i = 0; i < LINES; i++) {
      long at = from + (long) i * LINE_BYTES;
      long word = Memory.longAt(bytes, at);
      found[i] = withVersion(at, (word & MASKS[0]) == WORDS[0] ? 0 : Methods.find(word));
    }
    return found;
  }

  private static int compared(long word) {
    for (int code = 0; code < OTHER; code++) {
      if ((word & MASKS[code]) == WORDS[code]) {
        return code;
      }
    }
    return OTHER;
  }

  private byte withVersion(long at, int code) {
    if (code == OTHER) {
      return (byte) OTHER;
    }
    long version = at + Methods.length(code) + TARGET.length();
    return result(code, Memory.longAt(bytes, version) == VERSION);
  }

  private static byte result(int code, boolean modern) {
    return (byte) (modern ? code | MODERN : code);
  }

  private long methodEnd(long start) {
    long end = start;
    while (Memory.byteAt(bytes, end) != ' ') {
      end++;
    }
    return end;
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
