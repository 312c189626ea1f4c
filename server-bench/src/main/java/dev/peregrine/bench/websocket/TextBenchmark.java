package dev.peregrine.bench.websocket;

import dev.peregrine.parser.websocket.TextVectors;
import dev.peregrine.parser.websocket.Utf8Validator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
 * The check of a text for UTF-8. Vectors are used by all validators of a JVM once they are warm.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class TextBenchmark {
  private static final int START = 8;
  private static final int ALIGNMENT = 64;
  private static final int CONTINUATION_MASK = 0xC0;

  /** Texts by the number of bytes of their characters. */
  public enum Script {
    ASCII("The quick brown fox jumps over the lazy dog, and then back over the dog again. "),
    GERMAN_FRENCH("Zwölf Boxkämpfer jagen Viktor quer über den Deich; où est le garçon naïf ? "),
    CJK("视野无限广，窗外有蓝天。いろはにほへと ちりぬるを。키스의 고유조건은 "),
    EMOJI("\uD83D\uDE00\uD83D\uDE01 ok \uD83E\uDD14\uD83D\uDC4D\uD83C\uDFFD yes ");

    private final String sample;

    Script(String sample) {
      this.sample = sample;
    }

    /** Returns valid text of exactly this length. */
    byte[] text(int length) {
      byte[] text =
          Arrays.copyOf(
              sample.repeat(length / sample.length() + 1).getBytes(StandardCharsets.UTF_8),
              length + 1);
      int end = length;
      while ((text[end] & CONTINUATION_MASK) == 0x80) {
        end--;
      }
      Arrays.fill(text, end, text.length, (byte) ' ');
      return Arrays.copyOf(text, length);
    }
  }

  /** A text. */
  @State(Scope.Thread)
  public static class Text {
    @Param Script script;

    @Param({"1024", "65536"})
    int length;

    private final Utf8Validator validator = new Utf8Validator();
    private MemorySegment bytes = MemorySegment.NULL;

    /** Checks that both forms accept the text. */
    @Setup
    public void setUp() {
      bytes = Arena.ofAuto().allocate(START + length, ALIGNMENT);
      MemorySegment.copy(MemorySegment.ofArray(script.text(length)), 0, bytes, START, length);
      if (!validate() || !validateBytes()) {
        throw new IllegalStateException("not accepted");
      }
    }

    boolean validate() {
      validator.clear();
      return validator.accept(bytes, START, START + length) && validator.isComplete();
    }

    boolean validateBytes() {
      return PlainPayloads.isText(bytes, START, length);
    }
  }

  /** A text that is checked after the vectors were compiled. */
  @State(Scope.Thread)
  public static class WarmText extends Text {
    /** Has the vectors compiled. */
    @Setup
    public void warmUp() {
      TextVectors.warmUp(() -> false);
    }
  }

  /** {@link Utf8Validator} with vectors. */
  @Benchmark
  public boolean withVectors(WarmText text) {
    return text.validate();
  }

  /** {@link Utf8Validator} without vectors. */
  @Benchmark
  public boolean withoutVectors(Text text) {
    return text.validate();
  }

  /** Byte by byte. */
  @Benchmark
  public boolean byBytes(Text text) {
    return text.validateBytes();
  }

  /** Only loads all words. */
  @Benchmark
  public long read(Text text) {
    return PlainPayloads.sum(text.bytes, START, text.length);
  }
}
