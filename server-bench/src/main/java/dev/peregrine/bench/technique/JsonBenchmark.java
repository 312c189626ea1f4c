package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OutboundQueue;
import io.avaje.json.JsonReader;
import io.avaje.json.stream.JsonOutput;
import io.avaje.jsonb.JsonType;
import io.avaje.jsonb.Jsonb;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * JSON of about 1.5 KB, by the library that the examples use: written through a string or an array,
 * or straight into the response; read whole, or up to one field.
 */
public class JsonBenchmark extends Technique {
  private static final int LINES = 20;
  private static final int ARRAY_BYTES = 4096;
  private static final JsonType<Order> ORDERS = Jsonb.instance().type(Order.class);
  private static final JsonType<Object> TREES = Jsonb.instance().type(Object.class);

  private final BufferPool pool = new BufferPool();
  private final OutboundQueue queue = new OutboundQueue(pool);
  private final DiscardingChannel channel = new DiscardingChannel();
  private final JsonOutput direct = new Direct();
  private final ByteBuffer array = ByteBuffer.allocate(ARRAY_BYTES);
  private final JsonOutput intoArray = new IntoArray();
  private Order order;
  private byte[] json;

  /** Checks that all forms write and read the same. */
  @Setup
  public void setUp() throws IOException {
    List<Order.Line> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add(new Order.Line("article-" + 7919 * i, i % 4 + 1, 199L * (i + 1), i % 3 != 0));
    }
    order = new Order(20_261_121, "Jürgen Müller", "EUR", lines);
    json = ORDERS.toJsonBytes(order);
    writeString();
    checkWritten();
    writeArray();
    checkWritten();
    writeReusedArray();
    checkWritten();
    writeDirect();
    checkWritten();
    check(readObject().equals(order.customer()), "object");
    check(readTree().equals(order.customer()), "tree");
    check(readUntilFound().equals(order.customer()), "found");
    channel.keepNothing();
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    queue.clear();
    pool.close();
  }

  /** A string, its bytes, a copy of them. */
  @Benchmark
  public void writeString() throws IOException {
    byte[] bytes = ORDERS.toJson(order).getBytes(StandardCharsets.UTF_8);
    queue.append(bytes, 0, bytes.length);
    queue.writeTo(channel);
  }

  /** An array, a copy of it. */
  @Benchmark
  public void writeArray() throws IOException {
    byte[] bytes = ORDERS.toJsonBytes(order);
    queue.append(bytes, 0, bytes.length);
    queue.writeTo(channel);
  }

  /** A reused array, a copy of it. */
  @Benchmark
  public void writeReusedArray() throws IOException {
    ORDERS.toJson(order, intoArray);
    queue.append(array.array(), 0, array.position());
    array.clear();
    queue.writeTo(channel);
  }

  /** The server's way: into the memory that is sent. */
  @Benchmark
  public void writeDirect() throws IOException {
    ORDERS.toJson(order, direct);
    queue.writeTo(channel);
  }

  /** Maps and lists of the whole document, then the field. */
  @Benchmark
  public Object readTree() {
    return Objects.requireNonNull(((Map<?, ?>) TREES.fromJson(json)).get("customer"));
  }

  /** A record of the whole document, then its component. */
  @Benchmark
  public String readObject() {
    return ORDERS.fromJson(json).customer();
  }

  /** The fields one by one, up to the wanted one. */
  @Benchmark
  public String readUntilFound() {
    try (JsonReader reader = Jsonb.instance().reader(json)) {
      reader.beginObject();
      while (reader.hasNextField()) {
        if (reader.nextField().equals("customer")) {
          return reader.readString();
        }
        reader.skipValue();
      }
      return "";
    }
  }

  private void checkWritten() {
    String expected = new String(json, StandardCharsets.ISO_8859_1);
    check(channel.lastWritten().equals(expected), channel.lastWritten());
  }

  private final class Direct extends Output {
    @Override
    public void write(byte[] source, int from, int length) {
      queue.append(source, from, length);
    }
  }

  private final class IntoArray extends Output {
    @Override
    public void write(byte[] source, int from, int length) {
      array.put(source, from, length);
    }
  }

  private abstract static class Output implements JsonOutput {
    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public OutputStream unwrapOutputStream() {
      throw new UnsupportedOperationException("this is no stream");
    }
  }
}
