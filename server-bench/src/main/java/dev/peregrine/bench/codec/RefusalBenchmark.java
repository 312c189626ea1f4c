package dev.peregrine.bench.codec;

import dev.peregrine.http.HttpRequest;
import dev.peregrine.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * What a connection costs that is opened, sends one request, is answered and closed, without an
 * operating system: good requests beside those that are refused.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class RefusalBenchmark {
  private static final int CONNECTIONS = 4096;
  private static final int CONTENT_BYTES_MAX = 1000;
  private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

  @Param Request request;

  private Codec codec;
  private long bytesExpected;

  /** Starts the loop and makes sure that the request is answered as it should be. */
  @Setup(Level.Trial)
  public void setUp() {
    codec = new Codec(RefusalBenchmark::answer, request.bytes());
    byte[] written = codec.recordTurn();
    String answer = new String(written, StandardCharsets.ISO_8859_1);
    if (!answer.startsWith("HTTP/1.1 " + request.status() + " ")
        || !answer.contains("\r\nConnection: close\r\n")) {
      throw new IllegalStateException("wrong answer: " + answer);
    }
    bytesExpected = (long) written.length * CONNECTIONS;
  }

  private static void answer(HttpRequest asked, HttpResponse response) {
    if (asked.body().length() == 0) {
      response.send(HELLO);
    } else {
      asked.body().readAll(CONTENT_BYTES_MAX, ignored -> response.send(HELLO));
    }
  }

  /** Ends the loop. */
  @TearDown(Level.Trial)
  public void tearDown() throws InterruptedException {
    codec.close();
  }

  /** Serves connections. */
  @Benchmark
  @OperationsPerInvocation(CONNECTIONS)
  public long serve() {
    long bytes = codec.run(CONNECTIONS);
    if (bytes != bytesExpected) {
      throw new IllegalStateException(bytes + " bytes written, but not " + bytesExpected);
    }
    return bytes;
  }
}
