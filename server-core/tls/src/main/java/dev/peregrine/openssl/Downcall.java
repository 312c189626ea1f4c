package dev.peregrine.openssl;

import java.lang.invoke.MethodHandle;

/** Calls of functions whose parameters and results are all long. */
final class Downcall {
  private Downcall() {}

  static long call(MethodHandle function) {
    try {
      return (long) function.invokeExact();
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  static long call(MethodHandle function, long a) {
    try {
      return (long) function.invokeExact(a);
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  static long call(MethodHandle function, long a, long b) {
    try {
      return (long) function.invokeExact(a, b);
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  static long call(MethodHandle function, long a, long b, long c) {
    try {
      return (long) function.invokeExact(a, b, c);
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  static long call(MethodHandle function, long a, long b, long c, long d) {
    try {
      return (long) function.invokeExact(a, b, c, d);
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  static long call(MethodHandle function, long a, long b, long c, long d, long e) {
    try {
      return (long) function.invokeExact(a, b, c, d, e);
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  static long call(MethodHandle function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) function.invokeExact(a, b, c, d, e, f);
    } catch (Throwable impossible) {
      throw rethrow(impossible);
    }
  }

  /** Returns the error to throw for a failure of a downcall, which only the VM can cause. */
  private static AssertionError rethrow(Throwable failure) {
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return new AssertionError(failure);
  }
}
