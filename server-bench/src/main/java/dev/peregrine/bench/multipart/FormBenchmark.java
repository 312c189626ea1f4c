package dev.peregrine.bench.multipart;

import dev.peregrine.parser.multipart.DelimiterVectors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
 * A form with a file of 1 MiB, decoded by each server. {@link BoundaryBenchmark} has the search.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class FormBenchmark {
  /** The servers. */
  public enum Server {
    PEREGRINE(PeregrineForms::new),
    NETTY(NettyForms::new),
    JETTY(JettyForms::new),
    UNDERTOW(UndertowForms::new);

    @SuppressWarnings("ImmutableEnumChecker") // a constructor
    private final Function<Form, FormDecoder> decoder;

    Server(Function<Form, FormDecoder> decoder) {
      this.decoder = decoder;
    }
  }

  @Param Server server;

  @Param Form.Kind kind;

  private FormDecoder decoder = () -> 0;

  /** Checks that the decoder finds the whole file. */
  @Setup
  public void setUp() throws Exception {
    DelimiterVectors.warmUp(() -> false);
    decoder = server.decoder.apply(Form.of(kind));
    long bytes = decoder.decode();
    if (bytes != Form.FILE_BYTES) {
      throw new IllegalStateException(server + " finds " + bytes + " bytes");
    }
  }

  /** Decodes the form. */
  @Benchmark
  public long decode() throws Exception {
    return decoder.decode();
  }
}
