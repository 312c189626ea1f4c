package dev.peregrine.parser.vector;

import dev.peregrine.parser.field.StrideScanner;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides once whether this VM runs vector code well. It does if the module is present, if C2, the
 * compiler that supports vectors, is enabled, and if the machine has vectors. Otherwise vector code
 * would be correct, but a thousand times slower than scalar code.
 */
public final class VectorSupport {
  private static final String MODULE = "jdk.incubator.vector";
  private static final int SHORTEST_VECTOR_BYTES = 16;

  /** With narrower vectors a head takes about as long as with words. */
  private static final int WIDE_VECTOR_BYTES = 32;

  /** The problem, found when it is first asked for, because that loads dozens of classes. */
  private static final class Found {
    /** The missing part and the flag that adds it, or null. */
    static final @Nullable String PROBLEM = findProblem();
  }

  private VectorSupport() {}

  /** Returns why this VM has no vector scanner and the flag that changes that, or null. */
  public static @Nullable String problem() {
    return Found.PROBLEM;
  }

  /**
   * Returns the scanner of the machine's preferred width.
   *
   * @throws IllegalArgumentException if {@link #problem} isn't null
   */
  public static StrideScanner scanner() {
    requireVectors();
    return new VectorScanner();
  }

  /**
   * Returns what has C2 compile the scanner's methods, step by step.
   *
   * @throws IllegalArgumentException if {@link #problem} isn't null
   */
  public static BooleanSupplier steps() {
    requireVectors();
    return new StrideWarmUp();
  }

  private static void requireVectors() {
    String problem = problem();
    if (problem != null) {
      throw new IllegalArgumentException("no vector scanner: " + problem);
    }
  }

  /**
   * Returns why words are preferred to the vector scanner: its {@link #problem}, or that the
   * vectors are narrow. Otherwise null.
   */
  public static @Nullable String objection() {
    String problem = problem();
    if (problem != null || VectorScanner.preferredBytes() >= WIDE_VECTOR_BYTES) {
      return problem;
    }
    return "vectors of "
        + VectorScanner.preferredBytes()
        + " bytes are not faster than words; at least "
        + WIDE_VECTOR_BYTES
        + " are used";
  }

  /** Returns the problem if it shows without the module's classes, otherwise null. */
  public static @Nullable String plainProblem() {
    if (!isResolved()) {
      return "start the JVM with --add-modules " + MODULE;
    }
    String machine = System.getProperty("java.vm.name", "").toLowerCase(Locale.ROOT);
    if (!machine.contains("hotspot") && !machine.contains("openjdk")) {
      return "the JVM is not HotSpot but " + machine;
    }
    String mode = System.getProperty("java.vm.info", "");
    if (mode.contains("interpreted") || mode.contains("emulated-client")) {
      return "the JVM runs without its C2 compiler: " + mode;
    }
    return null;
  }

  /** Looks by itself: {@code findModule} creates two lambdas if the module is absent. */
  private static boolean isResolved() {
    for (Module module : ModuleLayer.boot().modules()) {
      if (module.getName().equals(MODULE)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String findProblem() {
    String plain = plainProblem();
    if (plain != null) {
      return plain;
    }
    try {
      int bytes = VectorScanner.preferredBytes();
      return bytes < SHORTEST_VECTOR_BYTES
          ? "the machine's vectors have " + bytes + " bytes"
          : null;
    } catch (LinkageError e) {
      return MODULE + " cannot be used: " + e;
    }
  }
}
