package dev.peregrine.parser.websocket;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.vector.VectorSupport;
import dev.peregrine.parser.vector.VectorWarmUp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/**
 * Vectors for long text that isn't ASCII, in {@link Utf8Validator}. Until C2 has compiled them they
 * are hundreds of times slower than words and allocate. So they aren't used before {@link #warmUp},
 * which a program runs on a thread of its own.
 */
public final class TextVectors {
  private static final int SHORTEST_BYTES = 256;
  private static final int TEXTS = 500;
  private static final String TEXT =
      "G\u00e4nsef\u00fc\u00dfchen \u2713 \u65e5\u672c\u8a9e \uD83D\uDE00 plain; ";

  /** One flag for all servers, because the compiler is the same for them. */
  private static volatile boolean warm;

  private TextVectors() {}

  /** Returns true if this VM can run the vectors well, and text can be loaded without checks. */
  public static boolean isAvailable() {
    return VectorSupport.problem() == null && Memory.ALL.byteSize() != 0;
  }

  /** Returns true if {@link Utf8Validator} uses vectors. */
  public static boolean isWarm() {
    return warm;
  }

  /**
   * Runs the vectors until they are compiled, which takes up to a few seconds of the thread's time.
   * All validators use them from then on. Returns at once if that is so already, or if they aren't
   * {@link #isAvailable available}.
   *
   * @param stopped returns true once the vectors aren't needed any more
   * @return {@link #isWarm}
   */
  public static boolean warmUp(BooleanSupplier stopped) {
    if (!warm && isAvailable()) {
      try (Arena arena = Arena.ofConfined()) {
        byte[] text = TEXT.repeat(TEXTS).getBytes(StandardCharsets.UTF_8);
        MemorySegment bytes = arena.allocate(text.length);
        MemorySegment sample = bytes.copyFrom(MemorySegment.ofArray(text));
        if (VectorWarmUp.run(() -> isFast(sample), stopped)) {
          warm = true;
        }
      }
    }
    return warm;
  }

  private static boolean isFast(MemorySegment text) {
    return nanos(true, text) < nanos(false, text);
  }

  /** Measures texts of several lengths, one of which ends inside a character. */
  private static long nanos(boolean byVectors, MemorySegment text) {
    var validator = new Utf8Validator(byVectors);
    boolean valid = true;
    long start = System.nanoTime();
    for (long to = text.byteSize(); to > SHORTEST_BYTES; to /= 2) {
      validator.clear();
      valid &= validator.accept(text, 0, to);
    }
    long nanos = System.nanoTime() - start;
    return valid ? nanos : Long.MAX_VALUE;
  }
}
