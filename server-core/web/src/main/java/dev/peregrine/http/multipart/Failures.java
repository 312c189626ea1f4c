package dev.peregrine.http.multipart;

import org.jspecify.annotations.Nullable;

/** Several failures of a clean-up as one. */
final class Failures {
  private Failures() {}

  /** Returns the first failure, which suppresses the later ones, as {@link #add} does it. */
  static Throwable join(@Nullable Throwable first, Throwable later) {
    if (first == null) {
      return later;
    }
    add(first, later);
    return first;
  }

  /**
   * Has a failure suppress a later one. Never throws: a VM without memory throws one object again
   * and again, which can't suppress itself.
   */
  @SuppressWarnings("ReferenceEquality") // exceptions are compared by identity
  static void add(Throwable first, Throwable later) {
    if (first != later) {
      try {
        first.addSuppressed(later);
      } catch (OutOfMemoryError full) {
        // the first one is thrown
      }
    }
  }
}
