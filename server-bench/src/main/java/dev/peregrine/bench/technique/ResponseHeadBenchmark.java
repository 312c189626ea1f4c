package dev.peregrine.bench.technique;

import dev.peregrine.http.ContentType;
import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http1.ResponseEncoder;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes the head of a plain response: as text that is then encoded, as lines that were encoded
 * before, or as the server does.
 */
public class ResponseHeadBenchmark extends Technique {
  private static final int HEADS = 16;
  private static final int CONTENT_BYTES = 13;
  private static final String HEAD_END = "\r\n\r\n";
  private static final int HEAD_BYTES_MAX = 512;
  private static final int DECIMAL = 10;

  private final DiscardingChannel channel = new DiscardingChannel();
  private EventLoop loop;
  private OutboundQueue out;
  private final FieldLines noFields = new FieldLines();
  private ResponseEncoder encoder;
  private String date = "";
  private byte[] prebuilt;
  private byte[] statusLine;
  private byte[] serverLine;
  private byte[] dateLine;
  private byte[] typeLine;
  private byte[] lengthName;
  private byte[] headEnd;
  private final byte[] head = new byte[HEAD_BYTES_MAX];

  /** Checks that all forms write the same head. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("response-head", new NioTransport());
    out = new OutboundQueue(loop.bufferPool());
    encoder = new ResponseEncoder(new ResponsePreamble(loop, "Peregrine"));
    encoded();
    String heads = channel.lastWritten();
    prebuilt = latin1(heads.substring(0, heads.length() / HEADS));
    int from = heads.indexOf("Date: ") + "Date: ".length();
    date = heads.substring(from, from + HttpDate.BYTES);
    statusLine = latin1("HTTP/1.1 200 OK\r\n");
    serverLine = latin1("Server: Peregrine\r\n");
    dateLine = latin1("Date: " + date + "\r\n");
    typeLine = latin1("Content-Type: " + ContentType.TEXT_PLAIN + "\r\n");
    lengthName = latin1("Content-Length: ");
    headEnd = latin1(HEAD_END);
    copied();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    text();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    lines();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    check(heads.indexOf(HEAD_END) + HEAD_END.length() == prebuilt.length, heads);
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
      StringBuilder text = new StringBuilder();
      text.append("HTTP/1.1 ").append(200).append(' ').append("OK").append("\r\n");
      field(text, "Server", "Peregrine");
      field(text, "Date", date);
      field(text, "Content-Type", ContentType.TEXT_PLAIN.toString());
      field(text, "Content-Length", Integer.toString(CONTENT_BYTES));
      byte[] bytes = latin1(text.append("\r\n").toString());
      out.append(bytes, 0, bytes.length);
    }
    out.writeTo(channel);
  }

  /** Copies lines that were encoded before, and writes the length's digits. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void lines() throws IOException {
    for (int i = 0; i < HEADS; i++) {
      int p = put(0, statusLine);
      p = put(p, serverLine);
      p = put(p, dateLine);
      p = put(p, typeLine);
      p = put(p, lengthName);
      p = putDecimal(p, CONTENT_BYTES);
      p = put(p, headEnd);
      out.append(head, 0, p);
    }
    out.writeTo(channel);
  }

  /** The server's way: the lines that rarely change stay in the array. */
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

  private int put(int at, byte[] bytes) {
    System.arraycopy(bytes, 0, head, at, bytes.length);
    return at + bytes.length;
  }

  private int putDecimal(int at, int value) {
    int end = at;
    for (int rest = value; rest > 0; rest /= DECIMAL) {
      end++;
    }
    int rest = value;
    for (int p = end - 1; p >= at; p--) {
      head[p] = (byte) ('0' + rest % DECIMAL);
      rest /= DECIMAL;
    }
    return end;
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void field(StringBuilder text, String name, String value) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
}
