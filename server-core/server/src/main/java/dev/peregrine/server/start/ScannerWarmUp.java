package dev.peregrine.server.start;

import dev.peregrine.base.Log;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Gets the vector scanner compiled before any request meets it: until then its code runs hundreds
 * of times slower than the other scanners and allocates. A separate thread parses sample heads with
 * both parsers until the vector one is the faster. Meanwhile the server uses the other one. Then
 * {@link ScannerChoice} compares both by the server's own heads.
 *
 * <p>That takes a second of processor time, mostly the compiler's, and a vector parser saves some
 * 100 ns per head. So it begins only after as many heads as show that the server is a busy one, and
 * the code of its loops is compiled by then. The thread rests most of the time: requests have the
 * processor, and the compiler follows before much is allocated.
 */
public final class ScannerWarmUp implements Runnable {
  /** The heads of all loops together after which a warm-up pays. Arbitrary in its order of size. */
  public static final long HEADS_BEFORE = 1 << 21;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  static final int FASTER_SAMPLES_IN_A_ROW = 16;
  static final int PASSES_PER_SAMPLE = 4; // the least counts
  static final int HOPELESS = 16; // times as long
  private static final int RESTS_PER_SAMPLE = 4; // each as long as the sample
  private static final long REST_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(5);

  private final RequestParser vector;
  private final RequestParser other;
  private final BooleanSupplier stopped;
  private final Consumer<RequestParser> whenFaster;
  private final BooleanSupplier steps;
  private final ToLongFunction<RequestParser> pass;

  /**
   * A warm-up of a parser, for a thread of its own.
   *
   * @param other the parser that is used meanwhile
   * @param stopped returns true once the parser isn't needed any more
   * @param whenFaster takes the parser, on the thread of the warm-up, once, if it got faster
   */
  public ScannerWarmUp(
      RequestParser vector,
      RequestParser other,
      BooleanSupplier stopped,
      Consumer<RequestParser> whenFaster) {
    this(vector, other, stopped, whenFaster, ScannerKind.vectorSteps(), new SampleHeads());
  }

  /**
   * The same by another measure.
   *
   * @param steps what comes before the first measurement, until it returns false
   * @param pass returns the time that a parser takes for one pass over the samples
   */
  ScannerWarmUp(
      RequestParser vector,
      RequestParser other,
      BooleanSupplier stopped,
      Consumer<RequestParser> whenFaster,
      BooleanSupplier steps,
      ToLongFunction<RequestParser> pass) {
    this.vector = vector;
    this.other = other;
    this.stopped = stopped;
    this.whenFaster = whenFaster;
    this.steps = steps;
    this.pass = pass;
  }

  @Override
  public void run() {
    if (becomesFaster()) {
      whenFaster.accept(vector);
    } else if (!stopped.getAsBoolean()) {
      Log.add(
          Level.INFO,
          "the vector scanner did not get faster than the other in "
              + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
              + " s, so request heads are scanned without vectors");
    }
  }

  private boolean becomesFaster() {
    long end = System.nanoTime() + PATIENCE_NANOS;
    boolean hasSteps = true;
    int faster = 0;
    while (faster < FASTER_SAMPLES_IN_A_ROW) {
      long start = System.nanoTime();
      if (stopped.getAsBoolean() || start - end >= 0) {
        return false;
      }
      if (hasSteps) {
        hasSteps = takeStep();
      } else {
        faster = isFaster() ? faster + 1 : 0;
      }
      long nanos = System.nanoTime() - start;
      LockSupport.parkNanos(this, Math.max(REST_NANOS_MIN, RESTS_PER_SAMPLE * nanos));
    }
    return true;
  }

  private boolean takeStep() {
    try {
      return steps.getAsBoolean();
    } catch (OutOfMemoryError full) {
      return true; // vector code allocates until it is compiled
    }
  }

  private boolean isFaster() {
    try {
      long nanos = leastNanos(other, Long.MAX_VALUE);
      return leastNanos(vector, HOPELESS * nanos) < nanos;
    } catch (OutOfMemoryError full) {
      return false;
    }
  }

  /**
   * Returns the shortest of some passes: others find cold caches or lose the processor. The first
   * one suffices if it is so long that the parser isn't compiled.
   */
  private long leastNanos(RequestParser parser, long tooLong) {
    long least = pass.applyAsLong(parser);
    for (int i = 1; i < PASSES_PER_SAMPLE && least < tooLong; i++) {
      least = Math.min(least, pass.applyAsLong(parser));
    }
    return least;
  }
}
