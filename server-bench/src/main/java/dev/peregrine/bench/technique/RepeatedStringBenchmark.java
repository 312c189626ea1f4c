package dev.peregrine.bench.technique;

import dev.peregrine.base.Latin1;
import dev.peregrine.bench.corpus.NativeHeads;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Makes a string of a field value that a client sends with each request, as User-Agent and Cookie:
 * a new one, or the one of the connection's last request if the bytes are the same. With many
 * connections, the strings that they keep are no longer in the processor's caches.
 */
public class RepeatedStringBenchmark extends Technique {
  @Param({"70", "400"})
  int bytes;

  @Param({"1", "16384"})
  int connections;

  private MemorySegment[] received; // two values, which differ in the last byte
  private Kept[] kept;
  private int next;
  private int value;

  /** Fills the connections' strings, and checks that all forms return the value. */
  @Setup
  public void setUp() {
    received = new MemorySegment[] {value('a'), value('b')};
    kept = new Kept[connections];
    Arrays.setAll(kept, i -> new Kept(text(received[0]), bytes));
    String expected = "v".repeat(bytes - 1) + 'a';
    for (int i = 0; i < connections; i++) {
      check(fresh().equals(expected) && keptSame().equals(expected), expected);
    }
    for (int i = 0; i < connections; i++) {
      check(keptOther().equals("v".repeat(bytes - 1) + 'b'), "other");
    }
    check(keptOther().equals(expected), expected);
    Arrays.setAll(kept, i -> new Kept(text(received[0]), bytes));
    next = 0;
    value = 0;
  }

  /** The server's way: a new string each time. */
  @Benchmark
  public String fresh() {
    return text(received[0]);
  }

  /** The connection's string, which has the same bytes. */
  @Benchmark
  public String keptSame() {
    return string(kept[next()], received[0]);
  }

  /** The connection's string if it has the same bytes, but it never has. */
  @Benchmark
  public String keptOther() {
    int connection = next();
    if (connection == 0) {
      value ^= 1;
    }
    return string(kept[connection], received[value]);
  }

  private String string(Kept last, MemorySegment now) {
    if (last.bytes.byteSize() != bytes
        || MemorySegment.mismatch(now, 0, bytes, last.bytes, 0, bytes) >= 0) {
      last.set(text(now), now, bytes);
    }
    return last.text;
  }

  private String text(MemorySegment now) {
    return Latin1.string(now, 0, bytes);
  }

  private int next() {
    int connection = next;
    next = connection + 1 == connections ? 0 : connection + 1;
    return connection;
  }

  private MemorySegment value(char last) {
    byte[] text = ("v".repeat(bytes - 1) + last).getBytes(StandardCharsets.US_ASCII);
    return NativeHeads.of(text).segment();
  }

  /** The last value of a connection. */
  private static final class Kept {
    private String text;
    private MemorySegment bytes;

    Kept(String text, int length) {
      this.text = text;
      bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
      check(bytes.byteSize() == length, text);
    }

    void set(String newText, MemorySegment now, int length) {
      text = newText;
      MemorySegment.copy(now, 0, bytes, 0, length);
    }
  }
}
