package dev.peregrine.bench.websocket;

import dev.peregrine.bench.corpus.NativeBytes;
import dev.peregrine.parser.websocket.Masking;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The payload of a frame, unmasked in place. It begins after a head, as it does in a read. */
@State(Scope.Thread)
public class UnmaskBenchmark extends PayloadBenchmark {
  private static final int KEY = 0x7DFC0B81;
  private static final int HEAD_BYTES = 6;

  @Param({"32", "1024", "16384", "65536"})
  int length;

  private MemorySegment bytes = MemorySegment.NULL;

  /** Checks that all forms unmask the same bytes. */
  @Setup
  public void setUp() {
    byte[] payload = new byte[HEAD_BYTES + length];
    new Random(length).nextBytes(payload);
    bytes = NativeBytes.of(payload);
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
