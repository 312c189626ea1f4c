package dev.peregrine.bench.parse;

import dev.peregrine.bench.corpus.NativeBytes;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.path.DecodedPath;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.body.ChunkedDecoder;
import dev.peregrine.protocol.FieldSyntax;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Texts other than request heads, as the server reads them and by the loops of {@link PlainLoops}:
 * field values, chunk lines, paths, queries. A figure is for one text.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class TextKernelBenchmark {
  private static final int COUNT = 64;
  private static final int SEED = 11;

  /** Values of printable characters, a quarter longer or shorter. */
  @State(Scope.Thread)
  public static class Values {
    @Param({"8", "30", "120", "500"})
    int length;

    private final String[] texts = new String[COUNT];
    private final byte[][] bytes = new byte[COUNT][];

    /** Creates the values, and checks that all forms accept them. */
    @Setup
    public void setUp() {
      Random random = new Random(SEED);
      for (int i = 0; i < COUNT; i++) {
        int characters = length * 3 / 4 + random.nextInt(length / 2 + 1);
        StringBuilder text = new StringBuilder();
        random.ints(characters, ' ', '~' + 1).forEach(c -> text.append((char) c));
        texts[i] = text.toString();
        bytes[i] = texts[i].getBytes(StandardCharsets.ISO_8859_1);
      }
      check(COUNT, valueByServer(), valueByTable());
      check(COUNT, valueBytesByServer(), valueBytesByTable());
    }

    private int valueByServer() {
      int valid = 0;
      for (String text : texts) {
        valid += FieldSyntax.isFieldValue(text) ? 1 : 0;
      }
      return valid;
    }

    private int valueByTable() {
      int valid = 0;
      for (String text : texts) {
        valid += PlainLoops.isFieldValue(text) ? 1 : 0;
      }
      return valid;
    }

    private int valueBytesByServer() {
      int valid = 0;
      for (byte[] text : bytes) {
        valid += FieldSyntax.isFieldValue(text, 0, text.length) ? 1 : 0;
      }
      return valid;
    }

    private int valueBytesByTable() {
      int valid = 0;
      for (byte[] text : bytes) {
        valid += PlainLoops.isFieldValue(text) ? 1 : 0;
      }
      return valid;
    }
  }

  /** Chunks with sizes of a number of digits, and the end of a body. */
  @State(Scope.Thread)
  public static class Chunks {
    @Param({"1", "2", "3", "4", "1 to 4"})
    String digits;

    private final ChunkedDecoder decoder = new ChunkedDecoder(ParserLimits.DEFAULT);
    private MemorySegment body = MemorySegment.NULL;

    /** Creates the body, and checks that both forms find all of its data. */
    @Setup
    public void setUp() {
      Random random = new Random(SEED);
      StringBuilder text = new StringBuilder();
      long data = 0;
      for (int i = 0; i < COUNT; i++) {
        int wanted = digits.length() == 1 ? Integer.parseInt(digits) : 1 + random.nextInt(4);
        int size = (1 + random.nextInt(3)) << (4 * (wanted - 1));
        text.append(Integer.toHexString(size)).append("\r\n");
        text.append("x".repeat(size)).append("\r\n");
        data += size;
      }
      body = nativeCopy(text.append("0\r\n\r\n").toString());
      check(data, chunksByServer(), chunksByByte());
    }

    private long chunksByServer() {
      decoder.reset();
      long data = 0;
      int end = (int) body.byteSize();
      for (int at = 0; decoder.next(body, at, end) == ChunkedDecoder.DATA; ) {
        data += decoder.dataEnd() - decoder.dataStart();
        at = decoder.position();
      }
      return data;
    }

    private long chunksByByte() {
      return PlainLoops.chunkData(body);
    }
  }

  /** A path. */
  @State(Scope.Thread)
  public static class Paths {
    @Param({
      "/users/42/orders",
      "/api/v2/customers/8f14e45f-ceea-467f-a4b1/invoices/2024-11/lines",
      "/files/annual%20report%202024.pdf",
      "/caf%C3%A9/men%C3%BC/caf%C3%A9"
    })
    String path;

    private final DecodedPath segments = new DecodedPath(() -> {});
    private final PlainLoops plain = new PlainLoops();
    private MemorySegment bytes = MemorySegment.NULL;

    /** Checks that both forms have the same result. */
    @Setup
    public void setUp() {
      bytes = nativeCopy(path);
      check(pathByServer(), pathInTwoPasses());
    }

    private int pathByServer() {
      segments.read(bytes, 0, bytes.byteSize());
      return segments.count();
    }

    private int pathInTwoPasses() {
      return plain.segments(bytes);
    }
  }

  /** A query. */
  @State(Scope.Thread)
  public static class Queries {
    @Param({
      "page=2&size=50&sort=name",
      "q=caf%C3%A9+au+lait&lang=fr",
      "utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale-2024&ref=homepage"
    })
    String query;

    private byte[] bytes = {};

    /** Checks that both forms have the same result. */
    @Setup
    public void setUp() {
      bytes = query.getBytes(StandardCharsets.US_ASCII);
      Parameters parameters = Parameters.parse(bytes);
      List<String> found = new ArrayList<>();
      for (int i = 0; i < parameters.size(); i++) {
        found.add(parameters.name(i));
        found.add(parameters.value(i));
      }
      if (!found.equals(PlainLoops.parameters(bytes))) {
        throw new IllegalStateException("not the same: " + found);
      }
    }

    private Object queryByServer() {
      return Parameters.parse(bytes);
    }

    private Object queryThroughArrays() {
      return PlainLoops.parameters(bytes);
    }
  }

  /** {@link FieldSyntax} for strings. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public int valueByServer(Values values) {
    return values.valueByServer();
  }

  /** Looks each character up. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public int valueByTable(Values values) {
    return values.valueByTable();
  }

  /** {@link FieldSyntax} for bytes. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public int valueBytesByServer(Values values) {
    return values.valueBytesByServer();
  }

  /** Looks each byte up. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public int valueBytesByTable(Values values) {
    return values.valueBytesByTable();
  }

  /** {@link ChunkedDecoder}: a line and the end of the data before it. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public long chunksByServer(Chunks chunks) {
    return chunks.chunksByServer();
  }

  /** A loop over the bytes of lines and ends, without pieces and extensions. */
  @Benchmark
  @OperationsPerInvocation(COUNT)
  public long chunksByByte(Chunks chunks) {
    return chunks.chunksByByte();
  }

  /** {@link DecodedPath}. */
  @Benchmark
  public int pathByServer(Paths paths) {
    return paths.pathByServer();
  }

  /** Decodes the path, then checks it for UTF-8 in a second pass. */
  @Benchmark
  public int pathInTwoPasses(Paths paths) {
    return paths.pathInTwoPasses();
  }

  /** {@link Parameters}. */
  @Benchmark
  public Object queryByServer(Queries queries) {
    return queries.queryByServer();
  }

  /** Decodes every name and value into a separate array. */
  @Benchmark
  public Object queryThroughArrays(Queries queries) {
    return queries.queryThroughArrays();
  }

  private static MemorySegment nativeCopy(String text) {
    return NativeBytes.of(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void check(long expected, long... results) {
    for (long result : results) {
      if (result != expected) {
        throw new IllegalStateException(result + " instead of " + expected);
      }
    }
  }
}
