package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.FieldBlocks;
import dev.peregrine.bench.corpus.FieldList;
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
 * Field blocks of HTTP/2 with an empty and with a filled dynamic table. The figure is for eight
 * requests.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FieldBlockBenchmark {
  @Param FieldList list;

  @Param({"false", "true"})
  boolean warm;

  private final FieldBlockLoop loop = new FieldBlockLoop();
  private FieldBlocks blocks = FieldBlocks.of(FieldList.BROWSER, false);

  /** Encodes the blocks and checks that they are decoded to as many fields. */
  @Setup
  public void setUp() {
    blocks = FieldBlocks.of(list, warm);
    if (loop.run(blocks, 1) != blocks.fields()) {
      throw new IllegalStateException("fields are missing");
    }
  }

  /** Decodes eight blocks. */
  @Benchmark
  public long decode() {
    return loop.pass(blocks);
  }
}
