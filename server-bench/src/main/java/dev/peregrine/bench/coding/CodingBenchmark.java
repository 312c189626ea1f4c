package dev.peregrine.bench.coding;

import com.github.luben.zstd.ZstdInputStream;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.coding.ContentEncoder;
import dev.peregrine.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** JSON of some length, encoded whole: time of one response, and its size. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@State(Scope.Thread)
public class CodingBenchmark {
  private static final int SEED = 1;
  private static final String[] WORDS = {
    "alpha", "beta", "order", "invoice", "customer", "street", "berlin", "paris", "shipped", "open"
  };

  @Param({"gzip-1", "gzip-4", "gzip-6", "zstd-1", "zstd-3", "zstd-5"})
  String coding;

  @Param({"1024", "10240", "65536"})
  int contentBytes;

  private byte[] content;
  private ContentEncoder encoder;

  /** The size of a response beside its time. */
  @AuxCounters(AuxCounters.Type.EVENTS)
  @State(Scope.Thread)
  public static class Size {
    public int encodedBytes;

    @Setup(Level.Iteration)
    public void clear() {
      encodedBytes = 0;
    }
  }

  /** Creates the content, and checks that it is decoded to the same bytes. */
  @Setup
  public void setUp() throws IOException {
    content = json(contentBytes);
    int level = Integer.parseInt(coding.substring(coding.indexOf('-') + 1));
    boolean gzip = coding.startsWith("gzip");
    ContentCoding chosen = gzip ? ContentCoding.gzip(level) : new Zstd(level);
    encoder = chosen.newEncoder();
    InputStream encoded = new ByteArrayInputStream(encode());
    try (InputStream in = gzip ? new GZIPInputStream(encoded) : new ZstdInputStream(encoded)) {
      if (!Arrays.equals(in.readAllBytes(), content)) {
        throw new IllegalStateException(coding + " is not decoded to what was encoded");
      }
    }
  }

  @TearDown
  public void close() {
    encoder.close();
  }

  @Benchmark
  public byte[] encode(Size size) {
    byte[] encoded = encode();
    size.encodedBytes = encoded.length;
    return encoded;
  }

  private byte[] encode() {
    encoder.begin();
    encoder.write(content, 0, content.length);
    encoder.finish();
    return encoder.take();
  }

  private static byte[] json(int length) {
    Random random = new Random(SEED);
    StringBuilder text = new StringBuilder("[");
    while (text.length() < length) {
      text.append(
          String.format(
              Locale.ROOT,
              "{\"id\":%d,\"name\":\"%s %s\",\"price\":%.2f,\"created\":\"2026-01-%02dT%02d:00Z\"},",
              random.nextInt(1_000_000),
              WORDS[random.nextInt(WORDS.length)],
              WORDS[random.nextInt(WORDS.length)],
              random.nextDouble() * 100,
              1 + random.nextInt(28),
              random.nextInt(24)));
    }
    return text.substring(0, length).getBytes(StandardCharsets.US_ASCII);
  }
}
