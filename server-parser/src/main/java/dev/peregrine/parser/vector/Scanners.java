package dev.peregrine.parser.vector;

import dev.peregrine.parser.scan.ScalarScanner;
import dev.peregrine.parser.scan.Scanner;
import dev.peregrine.parser.scan.SwarScanner;
import org.jspecify.annotations.Nullable;

/** Makes scanners. */
public final class Scanners {
  private Scanners() {}

  /** Why there is no vector scanner in this VM, or null if there is one. */
  public static @Nullable String vectorProblem() {
    return VectorSupport.PROBLEM;
  }

  /**
   * The vector scanner of the machine's preferred width.
   *
   * @throws IllegalArgumentException if there is a {@link #vectorProblem}
   */
  public static VectorScanner vector() {
    String problem = vectorProblem();
    if (problem != null) {
      throw new IllegalArgumentException("no vector scanner: " + problem);
    }
    return VectorScanner.preferred();
  }

  public static Scanner swar() {
    return new SwarScanner();
  }

  public static Scanner scalar() {
    return new ScalarScanner();
  }
}
