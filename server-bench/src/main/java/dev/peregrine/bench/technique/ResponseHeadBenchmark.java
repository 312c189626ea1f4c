package dev.peregrine.bench.technique;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.protocol.HttpDate;
import dev.peregrine.server.exchange.text.FieldLines;
import dev.peregrine.server.http1.ResponseEncoder;
import dev.peregrine.server.http1.ResponsePreamble;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.memory.OutboundQueue;
import dev.peregrine.server.transport.nio.NioTransport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes heads of responses of one kind, which is the server's best case, or of several in turn,
 * each with another status, type and length: as text that is then encoded, as lines that were
 * encoded before, or as the server does.
 */
public class ResponseHeadBenchmark extends Technique {
  private static final int HEADS = 16;
  private static final String HEAD_END = "\r\n\r\n";
  private static final int HEAD_BYTES_MAX = 512;
  private static final int DECIMAL = 10;
  private static final List<Kind> KINDS =
      List.of(
          new Kind(HttpStatus.OK, ContentType.TEXT_PLAIN, 13),
          new Kind(HttpStatus.NOT_FOUND, ContentType.TEXT_HTML_UTF_8, 348),
          new Kind(HttpStatus.CREATED, ContentType.APPLICATION_JSON, 27),
          new Kind(HttpStatus.BAD_REQUEST, ContentType.TEXT_PLAIN_UTF_8, 1256));

  // Constant text in one array, at places that are constants of the compiled code.
  private static final String SERVER_LINE = "Server: Peregrine\r\n";
  private static final String TYPE_NAME = "Content-Type: ";
  private static final String LENGTH_NAME = "Content-Length: ";
  private static final byte[] ALL = latin1(SERVER_LINE + TYPE_NAME + LENGTH_NAME + HEAD_END);
  private static final int TYPE_AT = SERVER_LINE.length();
  private static final int LENGTH_AT = TYPE_AT + TYPE_NAME.length();
  private static final int END_AT = LENGTH_AT + LENGTH_NAME.length();

  @Param({"1", "4"})
  int kinds;

  private final DiscardingChannel channel = new DiscardingChannel();
  private EventLoop loop;
  private OutboundQueue out;
  private final FieldLines noFields = new FieldLines();
  private ResponseEncoder encoder;
  private String date = "";
  private final Kind[] inTurn = new Kind[HEADS];
  private byte[][] prebuilt;
  private byte[] serverLine;
  private byte[] dateLine;
  private byte[] lengthName;
  private byte[] headEnd;
  private final byte[] head = new byte[HEAD_BYTES_MAX];

  /** Checks that all forms write the same heads. */
  @Setup
  public void setUp() throws IOException {
    loop = new EventLoop("response-head", new NioTransport());
    out = new OutboundQueue(loop.bufferPool());
    encoder = new ResponseEncoder(new ResponsePreamble(loop, "Peregrine"));
    for (int i = 0; i < HEADS; i++) {
      inTurn[i] = KINDS.get(i % kinds);
    }
    encoded();
    String heads = channel.lastWritten();
    prebuilt =
        Arrays.stream(heads.split("(?<=" + HEAD_END + ")"))
            .map(ResponseHeadBenchmark::latin1)
            .toArray(byte[][]::new);
    checkEqual(HEADS, prebuilt.length);
    int from = heads.indexOf("Date: ") + "Date: ".length();
    date = heads.substring(from, from + HttpDate.BYTES);
    serverLine = latin1(SERVER_LINE);
    dateLine = latin1("Date: " + date + "\r\n");
    lengthName = latin1(LENGTH_NAME);
    headEnd = latin1(HEAD_END);
    copied();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    text();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    lines();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
    oneArray();
    check(channel.lastWritten().equals(heads), channel.lastWritten());
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
    for (Kind kind : inTurn) {
      StringBuilder text = new StringBuilder();
      text.append("HTTP/1.1 ").append(kind.status).append(' ').append(kind.reason).append("\r\n");
      field(text, "Server", "Peregrine");
      field(text, "Date", date);
      field(text, "Content-Type", kind.type.toString());
      field(text, "Content-Length", Integer.toString(kind.contentBytes));
      byte[] bytes = latin1(text.append("\r\n").toString());
      out.append(bytes, 0, bytes.length);
    }
    out.writeTo(channel);
  }

  /** Copies lines that were encoded before, and writes the length's digits. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void lines() throws IOException {
    for (Kind kind : inTurn) {
      int p = put(0, kind.statusLine);
      p = put(p, serverLine);
      p = put(p, dateLine);
      p = put(p, kind.typeLine);
      p = put(p, lengthName);
      p = putDecimal(p, kind.contentBytes);
      p = put(p, headEnd);
      out.append(head, 0, p);
    }
    out.writeTo(channel);
  }

  /** Copies constant text from its places in one array, and the rest from arrays of its own. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void oneArray() throws IOException {
    for (Kind kind : inTurn) {
      int p = put(0, kind.statusLine);
      p = putPart(p, 0, TYPE_AT);
      p = put(p, dateLine);
      p = putPart(p, TYPE_AT, LENGTH_AT);
      p = put(p, kind.typeValue);
      p = putPart(p, LENGTH_AT, END_AT);
      p = putDecimal(p, kind.contentBytes);
      p = putPart(p, END_AT, ALL.length);
      out.append(head, 0, p);
    }
    out.writeTo(channel);
  }

  /** The server's way: a beginning that is that of the last head stays in the array. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void encoded() throws IOException {
    for (Kind kind : inTurn) {
      encoder.head(out, kind.status, kind.type, noFields, kind.contentBytes, null, false, false);
    }
    out.writeTo(channel);
  }

  /** The lower bound: one copy of each head, which was encoded before. */
  @Benchmark
  @OperationsPerInvocation(HEADS)
  public void copied() throws IOException {
    for (byte[] built : prebuilt) {
      out.append(built, 0, built.length);
    }
    out.writeTo(channel);
  }

  private int put(int at, byte[] bytes) {
    System.arraycopy(bytes, 0, head, at, bytes.length);
    return at + bytes.length;
  }

  private int putPart(int at, int from, int to) {
    System.arraycopy(ALL, from, head, at, to - from);
    return at + to - from;
  }

  private int putDecimal(int at, int value) {
    int end = at + 1;
    for (int power = DECIMAL; power <= value; power *= DECIMAL) {
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

  /** A kind of response, with what doesn't change from one to the next. */
  private static final class Kind {
    final int status;
    final String reason;
    final ContentType type;
    final int contentBytes;
    final byte[] statusLine;
    final byte[] typeLine;
    final byte[] typeValue; // and the end of its line

    Kind(HttpStatus status, ContentType type, int contentBytes) {
      this.status = status.code();
      this.reason = status.reason();
      this.type = type;
      this.contentBytes = contentBytes;
      statusLine = latin1("HTTP/1.1 " + status.code() + " " + status.reason() + "\r\n");
      typeLine = latin1(TYPE_NAME + type + "\r\n");
      typeValue = latin1(type + "\r\n");
    }
  }
}
