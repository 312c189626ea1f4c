package dev.peregrine.bench.multipart;

import dev.peregrine.bench.corpus.NativeBytes;
import dev.peregrine.parser.multipart.Delimiter;
import dev.peregrine.parser.multipart.DelimiterVectors;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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

/**
 * The search for the delimiter in a form with a file of 1 MiB, beside a copy of the same bytes.
 * Vectors are used by all searches of a JVM once they are warm.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class BoundaryBenchmark {
  /** A form, in native memory and in an array. */
  @State(Scope.Thread)
  public static class Content {
    @Param Form.Kind kind;

    private final Delimiter delimiter = new Delimiter(Form.BOUNDARY);
    MemorySegment bytes = MemorySegment.NULL;
    MemorySegment array = MemorySegment.NULL;
    MemorySegment target = MemorySegment.NULL;

    /** Checks that both kinds of memory give the same index, near the end. */
    @Setup
    public void setUp() {
      byte[] content = Form.of(kind).content().toArray(ValueLayout.JAVA_BYTE);
      bytes = NativeBytes.of(content);
      array = MemorySegment.ofArray(content);
      target = NativeBytes.of(content);
      if (search(bytes) != search(array) || search(bytes) < Form.FILE_BYTES) {
        throw new IllegalStateException("found at " + search(bytes));
      }
    }

    long search(MemorySegment memory) {
      return delimiter.indexOf(memory, 0, memory.byteSize());
    }
  }

  /** Content that is searched after the vectors were compiled. */
  @State(Scope.Thread)
  public static class WarmContent extends Content {
    /** Has the vectors compiled. */
    @Setup
    public void warmUp() {
      DelimiterVectors.warmUp(() -> false);
    }
  }

  /** Vectors, in native memory. */
  @Benchmark
  public long withVectors(WarmContent content) {
    return content.search(content.bytes);
  }

  /** Vectors, in an array. */
  @Benchmark
  public long withVectorsInAnArray(WarmContent content) {
    return content.search(content.array);
  }

  /** Words, in native memory. */
  @Benchmark
  public long withWords(Content content) {
    return content.search(content.bytes);
  }

  /** Copies the same bytes. */
  @Benchmark
  public MemorySegment copy(Content content) {
    return content.target.copyFrom(content.bytes);
  }
}
