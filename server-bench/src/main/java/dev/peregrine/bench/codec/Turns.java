package dev.peregrine.bench.codec;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The measurement of a {@link Codec}: many turns at a time, each of which writes the same bytes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class Turns {
  private Codec codec;
  private int turns;
  private long bytesExpected;

  Turns() {}

  /** Returns the loop to measure, started. */
  abstract Codec open();

  /** Returns the number of turns that are run at a time. */
  abstract int turns();

  /** Returns how many more bytes a run may write when the date changes, once a second. */
  long dateBytes() {
    return 0;
  }

  /** Throws if a turn doesn't write the expected bytes. */
  abstract void check(String written);

  /** Starts the loop and checks its responses. */
  @Setup(Level.Trial)
  public void setUp() {
    codec = open();
    turns = turns();
    byte[] written = codec.recordTurn();
    byte[] again = codec.recordTurn();
    if (again.length < written.length) { // the date changed in the first one
      written = again;
    }
    check(new String(written, StandardCharsets.ISO_8859_1));
    bytesExpected = (long) written.length * turns;
  }

  /** Ends the loop. */
  @TearDown(Level.Trial)
  public void tearDown() throws InterruptedException {
    codec.close();
  }

  /** Runs the turns; returns how many bytes they wrote. */
  final long run() {
    long since = System.nanoTime();
    long bytes = codec.run(turns);
    long dates = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - since);
    if (bytes < bytesExpected || bytes > bytesExpected + dates * dateBytes()) {
      throw new IllegalStateException(bytes + " bytes written, but not " + bytesExpected);
    }
    return bytes;
  }
}
