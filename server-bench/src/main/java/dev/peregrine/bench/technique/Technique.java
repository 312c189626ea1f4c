package dev.peregrine.bench.technique;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The measurement of techniques: three JVMs for each form and input, and short iterations, because
 * there are many. A benchmark of forms that allocate, or that use several threads, may set more
 * iterations by an annotation of its own. Its set-up compares the results of all forms before the
 * measurement, by one of the methods here.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {
      "--add-modules",
      "jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public abstract class Technique {
  Technique() {}

  static void check(boolean right, String what) {
    if (!right) {
      throw new IllegalStateException("wrong: " + what);
    }
  }

  /** Checks that all forms have the same result. */
  static void checkEqual(long... results) {
    checkEqualResults(Arrays.stream(results).boxed().toArray());
  }

  /**
   * Checks that all forms have the same result.
   *
   * @param results of two forms or more: values, or arrays of them, which are compared by content
   */
  static void checkEqualResults(Object... results) {
    check(results.length > 1, "one result has nothing to be compared with");
    for (Object result : results) {
      check(
          Objects.deepEquals(result, results[0]),
          text(result) + ", but another form gives " + text(results[0]));
    }
  }

  private static String text(Object result) {
    return Arrays.deepToString(new Object[] {result});
  }
}
