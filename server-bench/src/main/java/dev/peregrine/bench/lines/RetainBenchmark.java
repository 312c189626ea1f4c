package dev.peregrine.bench.lines;

import dev.peregrine.http.RetainedBytes;
import dev.peregrine.server.exchange.bytes.ReceivedBytes;
import dev.peregrine.server.exchange.bytes.Retainer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A piece of a block of 64 KiB that is retained and released on its loop: copied below the half of
 * the block, pinned from there on. Beside it the copy alone.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class RetainBenchmark {
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int PIECES = 1000;

  @Param({"1024", "8192", "16384", "32767", "32768", "65472"})
  int pieceBytes;

  private EventLoop loop;
  private Retainer retainer;

  /** Checks that both forms keep the same bytes. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("retain", new NioTransport());
    loop.start();
    retainer = new Retainer(loop, Long.MAX_VALUE / 2);
    if (retained() != copied()) {
      throw new IllegalStateException("the bytes differ");
    }
  }

  /** Ends the loop. */
  @TearDown
  public void tearDown() throws InterruptedException {
    loop.stop(() -> {});
    loop.join();
  }

  /** The server's way. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long retained() {
    return onLoop(
        block -> {
          try (RetainedBytes kept = view(block).retain()) {
            return kept.length();
          }
        });
  }

  /** A copy of any length. */
  @Benchmark
  @OperationsPerInvocation(PIECES)
  public long copied() {
    return onLoop(block -> view(block).toArray().length);
  }

  private ReceivedBytes view(Block block) {
    return new ReceivedBytes(retainer, block, 0, pieceBytes);
  }

  /** A use of a block that bytes were received in. */
  private interface Use {
    int of(Block block);
  }

  private long onLoop(Use use) {
    CompletableFuture<Long> done = new CompletableFuture<>();
    loop.execute(
        () -> {
          long sum = 0;
          for (int i = 0; i < PIECES; i++) {
            Block block = loop.bufferPool().acquire(BLOCK_BYTES);
            sum += use.of(block);
            loop.bufferPool().release(block);
          }
          done.complete(sum);
        });
    return done.join();
  }
}
