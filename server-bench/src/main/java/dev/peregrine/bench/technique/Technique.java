package dev.peregrine.bench.technique;

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
 * How techniques are measured: a JVM for each form and input, short iterations, since there are
 * many of them. What a form returns is checked in its set-up, before anything is timed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-modules",
      "jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public abstract class Technique {
  Technique() {}

  static void check(boolean right, String what) {
    if (!right) {
      throw new IllegalStateException("wrong: " + what);
    }
  }

  /** Makes sure that all forms give the same. */
  static void checkEqual(long... results) {
    for (long result : results) {
      check(result == results[0], result + ", but another form gives " + results[0]);
    }
  }
}
