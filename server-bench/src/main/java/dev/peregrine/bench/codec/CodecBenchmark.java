package dev.peregrine.bench.codec;

import dev.peregrine.bench.corpus.Corpus;
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
 * Request to response without an operating system, per request. The event loop runs on its own
 * thread; JMH's thread asks it for thousands of turns at a time and sleeps, so that handing over
 * costs nothing worth counting.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"})
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
  private static final int REQUESTS = 65_536;

  @Param Stage stage;

  /** Requests per read. */
  @Param({"1", "16"})
  int depth;

  private Codec codec;
  private long bytesExpected;

  /** Starts the loop and makes sure that it answers every request rightly. */
  @Setup(Level.Trial)
  public void setUp() {
    codec = new Codec(stage, Corpus.named("small").bytes(), depth);
    byte[] written = codec.recordTurn();
    checkResponses(new String(written, StandardCharsets.ISO_8859_1));
    bytesExpected = (long) written.length * (REQUESTS / depth);
  }

  /** Ends the loop. */
  @TearDown(Level.Trial)
  public void tearDown() throws InterruptedException {
    codec.close();
  }

  /** Answers requests. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long answer() {
    long bytes = codec.run(REQUESTS / depth);
    if (bytes != bytesExpected) {
      throw new IllegalStateException(bytes + " bytes written, but not " + bytesExpected);
    }
    return bytes;
  }

  private void checkResponses(String text) {
    String content = stage == Stage.JSON ? "{\"message\":\"Hello, World!\"}" : "Hello, World!";
    int from = 0;
    for (int i = 0; i < depth; i++) {
      int end = text.indexOf("\r\n\r\n", from);
      boolean right =
          text.startsWith("HTTP/1.1 200 OK\r\n", from)
              && end > 0
              && text.substring(from, end).contains("\r\nContent-Length: " + content.length())
              && text.startsWith(content, end + 4);
      if (!right) {
        throw new IllegalStateException("response " + i + " is wrong:\n" + text);
      }
      from = end + 4 + content.length();
    }
    if (from != text.length()) {
      throw new IllegalStateException("more than " + depth + " responses:\n" + text);
    }
  }
}
