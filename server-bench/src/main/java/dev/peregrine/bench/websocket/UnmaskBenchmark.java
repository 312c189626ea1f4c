package dev.peregrine.bench.websocket;

import dev.peregrine.parser.websocket.Masking;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The payload of a frame, unmasked in place. It begins after a head, as it does in a read. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class UnmaskBenchmark {
  private static final int KEY = 0x7DFC0B81;
  private static final int HEAD_BYTES = 6;
  private static final int ALIGNMENT = 64;

  @Param({"32", "1024", "16384", "65536"})
  int length;

  private MemorySegment bytes = MemorySegment.NULL;

  /** Checks that all forms unmask the same bytes. */
  @Setup
  public void setUp() {
    byte[] payload = new byte[HEAD_BYTES + length];
    new Random(length).nextBytes(payload);
    bytes = Arena.ofAuto().allocate(payload.length, ALIGNMENT);
    bytes.copyFrom(MemorySegment.ofArray(payload));
    unmask();
    byte[] unmasked = bytes.toArray(ValueLayout.JAVA_BYTE);
    unmask();
    check(payload);
    byBytes();
    check(unmasked);
    byWords();
    check(payload);
    byVectors();
    check(unmasked);
  }

  private void check(byte[] expected) {
    if (bytes.mismatch(MemorySegment.ofArray(expected)) >= 0) {
      throw new IllegalStateException("the forms differ");
    }
  }

  /** {@link Masking}. */
  @Benchmark
  public void unmask() {
    Masking.apply(bytes, HEAD_BYTES, HEAD_BYTES + length, KEY, 0);
  }

  /** Byte by byte. */
  @Benchmark
  public void byBytes() {
    PlainPayloads.unmaskBytes(bytes, HEAD_BYTES, length, KEY);
  }

  /** A loop over words that stays one. */
  @Benchmark
  public void byWords() {
    PlainPayloads.unmaskWords(bytes, HEAD_BYTES, length, KEY);
  }

  /** The Vector API. */
  @Benchmark
  public void byVectors() {
    PlainPayloads.unmaskVectors(bytes, HEAD_BYTES, length, KEY);
  }

  /** Only loads all words. */
  @Benchmark
  public long read() {
    return PlainPayloads.sum(bytes, HEAD_BYTES, length);
  }
}
