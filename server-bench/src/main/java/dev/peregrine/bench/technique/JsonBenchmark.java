package dev.peregrine.bench.technique;

import dev.peregrine.bench.codec.Codec;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.server.memory.Block;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OutboundQueue;
import io.avaje.json.stream.JsonOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Requests that are answered with 1.5 KB of JSON, by the library that the examples use, on a loop
 * without an operating system: the JSON is made as a string, as an array, or in the loop's memory.
 */
@Warmup(iterations = 15) // so that a whole exchange is compiled
public class JsonBenchmark extends Technique {
  private static final int REQUESTS = 1024;
  private static final byte[] GET =
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final Order order = Order.typical();
  private final BufferPool pool = new BufferPool();
  private final OutboundQueue queue = new OutboundQueue(pool);
  private final DiscardingChannel channel = new DiscardingChannel();
  private Block content;
  private int contentBytes;
  private Codec string;
  private Codec newArray;
  private Codec codec;

  /** Starts a loop for each form, and checks that all send the same. */
  @Setup
  public void setUp() throws IOException {
    byte[] json = Order.TYPE.toJsonBytes(order);
    contentBytes = json.length;
    content = pool.acquire(contentBytes);
    content.range(0, contentBytes).put(json);
    string =
        open(
            (request, response) ->
                response
                    .contentType(ContentType.APPLICATION_JSON)
                    .send(Order.TYPE.toJson(order).getBytes(StandardCharsets.UTF_8)));
    newArray =
        open(
            (request, response) ->
                response
                    .contentType(ContentType.APPLICATION_JSON)
                    .send(Order.TYPE.toJsonBytes(order)));
    codec = open((request, response) -> response.json(order));
    String expected = new String(json, StandardCharsets.ISO_8859_1);
    for (Codec form : List.of(string, newArray, codec)) {
      String sent = new String(form.recordTurn(), StandardCharsets.ISO_8859_1);
      String head = sent.substring(0, sent.length() - json.length);
      check(sent.endsWith("\r\n\r\n" + expected), sent);
      check(head.contains("\r\nContent-Type: application/json\r\n"), head);
    }
    copyAlone();
    check(channel.lastWritten().equals(expected), channel.lastWritten());
    channel.keepNothing();
  }

  /** Ends all loops. */
  @TearDown
  public void tearDown() throws InterruptedException {
    for (Codec form : List.of(string, newArray, codec)) {
      form.close();
    }
    queue.clear();
    pool.release(content);
    pool.close();
  }

  /** A string, and its bytes as an array. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long string() {
    return string.run(REQUESTS);
  }

  /** An array that the library makes. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long newArray() {
    return newArray.run(REQUESTS);
  }

  /** {@code Response.json}: the library writes into the loop's memory. */
  @Benchmark
  @OperationsPerInvocation(REQUESTS)
  public long codec() {
    return codec.run(REQUESTS);
  }

  /** Copies content behind its head. Writing behind a reserved head would save this copy. */
  @Benchmark
  public void copyAlone() throws IOException {
    queue.append(content.segment(), 0, contentBytes);
    queue.writeTo(channel);
  }

  private static Codec open(Handler handler) {
    return Codec.serving(handler, new Avaje(), GET);
  }

  /** Binds the library, for one loop. */
  private static final class Avaje implements JsonCodec, JsonOutput {
    private OutputStream target = OutputStream.nullOutputStream();

    @Override
    public void write(Object value, OutputStream out) {
      target = out;
      Order.TYPE.toJson((Order) value, this);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
      target.write(source, from, length);
    }

    @Override
    public <T> T read(byte[] source, Class<T> type) {
      throw new UnsupportedOperationException("only writes");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public OutputStream unwrapOutputStream() {
      return target;
    }
  }
}
