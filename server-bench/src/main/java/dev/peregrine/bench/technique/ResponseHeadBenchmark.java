package dev.peregrine.bench.technique;

import dev.peregrine.http.ContentType;
import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.exchange.FieldLines;
import dev.peregrine.server.http1.ResponseEncoder;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.NioTransport;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Writes the head of a plain response: as text that is then encoded, or as bytes. */
public class ResponseHeadBenchmark extends Technique {
  private static final int HEADS = 16;
  private static final int CONTENT_BYTES = 13;
  private static final int HEAD_END_BYTES = 4;

  private final DiscardingChannel channel = new DiscardingChannel();
  private EventLoop loop;
  private OutboundQueue out;
  private final FieldLines noFields = new FieldLines();
  private ResponseEncoder encoder;
  private String date = "";
  private byte[] prebuilt;

  /** Checks that all forms write the same head. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("response-head", new NioTransport());
    out = new OutboundQueue(loop.bufferPool());
    encoder = new ResponseEncoder(new ResponsePreamble(loop, "Peregrine"));
    encoded();
    String heads = channel.lastWritten();
    prebuilt = heads.substring(0, heads.length() / HEADS).getBytes(StandardCharsets.ISO_8859_1);
    int from = heads.indexOf("Date: ") + "Date: ".length();
    date = heads.substring(from, from + HttpDate.BYTES);
    copied();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    text();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    check(heads.indexOf("\r\n\r\n") + HEAD_END_BYTES == prebuilt.length, heads);
    channel.keepNothing();
  }

  /** Releases all memory. */
  @TearDown
  public void tearDown() {
    out.clear();
    loop.abandon();
  }

  /** Concatenates strings, encodes and copies them. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void text() throws IOException {
    for (int i = 0; i < HEADS; i++) {
      StringBuilder head = new StringBuilder();
      head.append("HTTP/1.1 ").append(200).append(' ').append("OK").append("\r\n");
      field(head, "Server", "Peregrine");
      field(head, "Date", date);
      field(head, "Content-Type", ContentType.TEXT_PLAIN.toString());
      field(head, "Content-Length", Integer.toString(CONTENT_BYTES));
      byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
      out.append(bytes, 0, bytes.length);
    }
    out.writeTo(channel);
  }

  /** The server's way. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void encoded() throws IOException {
    for (int i = 0; i < HEADS; i++) {
      encoder.head(out, 200, ContentType.TEXT_PLAIN, noFields, CONTENT_BYTES, null, false, false);
    }
    out.writeTo(channel);
  }

  /** The lower bound: one copy of a head that was encoded before. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void copied() throws IOException {
    for (int i = 0; i < HEADS; i++) {
      out.append(prebuilt, 0, prebuilt.length);
    }
    out.writeTo(channel);
  }

  private static void field(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
}
