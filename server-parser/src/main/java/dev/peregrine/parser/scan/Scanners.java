package dev.peregrine.parser.scan;

import org.jspecify.annotations.Nullable;

/** Makes scanners, and decides once whether this VM runs the vector one well. */
public final class Scanners {
  private Scanners() {}

  /** Why there is no vector scanner in this VM, or null if there is one. */
  public static @Nullable String vectorProblem() {
    return "not written yet";
  }

  /**
   * The vector scanner.
   *
   * @throws IllegalArgumentException if there is a {@link #vectorProblem}
   */
  public static Scanner vector() {
    String problem = vectorProblem();
    throw new IllegalArgumentException("no vector scanner: " + problem);
  }

  public static Scanner swar() {
    return new SwarScanner();
  }

  public static Scanner scalar() {
    return new ScalarScanner();
  }
}
