package dev.peregrine.bench.metrics;

import dev.peregrine.micrometer.PeregrineMetrics;
import dev.peregrine.server.metrics.MetricHistogram;
import dev.peregrine.server.metrics.ServerMetrics;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
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

/** The cost of the metrics of a request: its begin and its end, on one event loop. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class MetricsBenchmark {
  private static final long DURATION_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  /** Routes that are requested in turn; with one, every request finds the series at once. */
  @Param({"1", "64"})
  int routes;

  /** Whether each request is also recorded in the meters of a registry. */
  @Param({"false", "true"})
  boolean micrometer;

  private LoopListener loop;
  private ScriptedExchange[] exchanges;
  private int next;

  /** Creates the metrics of one loop, and checks that they count. */
  @Setup
  public void setUp() {
    ServerMetrics metrics = new ServerMetrics();
    if (micrometer) {
      new PeregrineMetrics(metrics).bindTo(new SimpleMeterRegistry());
    }
    loop = metrics.onStart("bench", List.<LoopInfo>of(new IdleLoop())).getFirst();
    exchanges = new ScriptedExchange[routes];
    for (int i = 0; i < routes; i++) {
      exchanges[i] = new ScriptedExchange("/users/{id}/" + i, DURATION_NANOS);
      next = i;
      int ignored = request();
    }
    List<MetricHistogram> counted = metrics.snapshot().histograms();
    if (counted.size() != 3 * routes || counted.getFirst().count() != 1) {
      throw new IllegalStateException("not counted: " + counted);
    }
  }

  /** Counts a request. */
  @Benchmark
  public int request() {
    ScriptedExchange exchange = exchanges[next];
    next = next + 1 == exchanges.length ? 0 : next + 1;
    loop.onBegin(exchange);
    loop.onEnd(exchange);
    return next;
  }

  /** A loop without connections. */
  private static final class IdleLoop implements LoopInfo {
    @Override
    public String name() {
      return "bench-loop-0";
    }

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public int connections() {
      return 0;
    }

    @Override
    public long bytesReceived() {
      return 0;
    }

    @Override
    public long bytesSent() {
      return 0;
    }

    @Override
    public long bufferBytesInUse() {
      return 0;
    }

    @Override
    public long bufferBytesReserved() {
      return 0;
    }

    @Override
    public long bufferBytesReturned() {
      return 0;
    }
  }
}
