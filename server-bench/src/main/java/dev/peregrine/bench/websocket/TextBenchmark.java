package dev.peregrine.bench.websocket;

import dev.peregrine.bench.corpus.NativeBytes;
import dev.peregrine.parser.websocket.TextVectors;
import dev.peregrine.parser.websocket.Utf8Validator;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The check of a text for UTF-8. Vectors are used by all validators of a JVM once they are warm.
 */
public class TextBenchmark extends PayloadBenchmark {
  private static final int START = 8;
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
      bytes = NativeBytes.at(START, script.text(length));
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
