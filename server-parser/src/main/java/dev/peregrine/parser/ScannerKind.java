package dev.peregrine.parser;

import dev.peregrine.parser.vector.VectorSupport;
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

  /**
   * Returns why {@link #VECTOR} isn't {@link #best} in this VM, as one line: its problem, or that
   * the machine's vectors are too narrow to be faster than {@link #SWAR}. Null if it is the best.
   */
  public static @Nullable String vectorObjection() {
    return VectorSupport.objection();
  }

  /**
   * Returns the problem if it is one that shows without loading the module: that it is absent, or
   * that the VM lacks its compiler. Otherwise null, which doesn't mean that there is none.
   */
  public static @Nullable String plainVectorProblem() {
    return VectorSupport.plainProblem();
  }
}
