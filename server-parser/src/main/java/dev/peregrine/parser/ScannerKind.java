package dev.peregrine.parser;

import dev.peregrine.parser.vector.VectorSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The ways to scan bytes. All kinds have the same results and differ only in speed. */
public enum ScannerKind {
  /** The Vector API at the machine's preferred width. */
  VECTOR,
  /** Eight bytes at a time in a long. */
  SWAR,
  /** One byte at a time: the reference for tests of the others. */
  SCALAR;

  /** Returns the fastest kind that this VM runs well. */
  public static ScannerKind best() {
    return vectorObjection() == null ? VECTOR : SWAR;
  }

  /**
   * Returns why {@link #VECTOR} is not available in this VM, as one line that names what to change;
   * null if it is available.
   */
  public static @Nullable String vectorProblem() {
    return VectorSupport.problem();
  }

  /** Returns why {@link #VECTOR} isn't the {@link #best} kind here, as one line, or null. */
  public static @Nullable String vectorObjection() {
    return VectorSupport.objection();
  }

  /** Returns the problem if it shows without the module's classes; there may be another one. */
  public static @Nullable String plainVectorProblem() {
    return VectorSupport.plainProblem();
  }

  /** Returns steps of {@link #VECTOR}'s warm-up: a call takes one, or returns false at the end. */
  public static BooleanSupplier vectorSteps() {
    return VectorSupport.steps();
  }
}
