package dev.peregrine.parser.multipart;

import dev.peregrine.parser.scan.Memory;
import dev.peregrine.parser.vector.VectorSupport;
import dev.peregrine.parser.vector.VectorWarmUp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;

/**
 * Vectors for the search in {@link Delimiter}. They aren't used before {@link #warmUp}, which a
 * program runs on a thread of its own: until C2 has compiled them they are slow and allocate.
 */
public final class DelimiterVectors {
  private static final int SAMPLE_BYTES = 64 * 1024;
  private static final String BOUNDARY = "sample";

  /** One flag for all servers, because the compiler is the same for them. */
  private static volatile boolean warm;

  private DelimiterVectors() {}

  /**
   * Returns true if this VM can run the vectors well, they are wide enough to be faster than words,
   * and memory can be loaded without checks.
   */
  public static boolean isAvailable() {
    return VectorSupport.objection() == null && Memory.ALL.byteSize() != 0;
  }

  /** Returns true if {@link Delimiter} uses vectors. */
  public static boolean isWarm() {
    return warm;
  }

  /**
   * Runs the vectors until they are compiled, which takes up to a few seconds of the thread's time.
   * All searches use them from then on. Returns at once if that is so already, or if they aren't
   * {@link #isAvailable available}.
   *
   * @param stopped returns true once the vectors aren't needed any more
   * @return {@link #isWarm}
   */
  public static boolean warmUp(BooleanSupplier stopped) {
    if (!warm && isAvailable()) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment content = arena.allocate(SAMPLE_BYTES);
        MemorySegment array = MemorySegment.ofArray(new byte[SAMPLE_BYTES]);
        if (VectorWarmUp.run(() -> isFast(content, array), stopped)) {
          warm = true;
        }
      }
    }
    return warm;
  }

  /** Measures both kinds of memory each time, because each has a loop of its own. */
  private static boolean isFast(MemorySegment content, MemorySegment array) {
    boolean fast = nanos(true, content) < nanos(false, content);
    boolean fastInArrays = nanos(true, array) < nanos(false, array);
    return fast && fastInArrays;
  }

  private static long nanos(boolean byVectors, MemorySegment content) {
    Delimiter delimiter = new Delimiter(BOUNDARY, byVectors);
    long start = System.nanoTime();
    long found = delimiter.indexOf(content, 0, SAMPLE_BYTES);
    long nanos = System.nanoTime() - start;
    return found == SAMPLE_BYTES ? nanos : Long.MAX_VALUE;
  }
}
