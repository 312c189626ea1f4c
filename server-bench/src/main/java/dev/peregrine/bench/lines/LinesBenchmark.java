package dev.peregrine.bench.lines;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.lines.LineFlow;
import dev.peregrine.http.lines.LineListener;
import dev.peregrine.http.lines.LineReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.LineBasedFrameDecoder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
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
 * The lines of an {@link Upload}, found by each reader, whose bytes are counted; with {@code text},
 * each line is made a String too, as {@code BufferedReader} always does.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class LinesBenchmark {
  private static final int LINE_BYTES_MAX = 8 * 1024;

  /** The readers of lines. */
  public enum Finder {
    LINE_FLOW,
    LINE_READER,
    NETTY,
    BUFFERED_READER
  }

  @Param Finder finder;

  @Param({"false", "true"})
  boolean text;

  private final Upload upload = new Upload();
  private final Request request = proxy(Request.class, upload);
  private final Response response = proxy(Response.class, upload);

  private static <T> T proxy(Class<T> type, Upload upload) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> upload));
  }

  /** Checks that all lines are found. */
  @Setup
  public void setUp() throws IOException {
    long bytes = count();
    if (bytes != (long) Upload.LINES * Upload.LINE_BYTES) {
      throw new IllegalStateException(finder + " finds " + bytes + " bytes");
    }
  }

  /** Finds the lines. Returns the number of their bytes. */
  @Benchmark
  public long count() throws IOException {
    return switch (finder) {
      case LINE_FLOW -> flow();
      case LINE_READER -> reader();
      case NETTY -> netty();
      case BUFFERED_READER -> bufferedReader();
    };
  }

  private int length(Bytes line) {
    return text ? line.toString().length() : line.length();
  }

  private long flow() {
    Counter counter = new Counter();
    LineFlow.receive(request, response, LINE_BYTES_MAX, counter);
    return counter.bytes;
  }

  private final class Counter implements LineListener {
    private long bytes;

    @Override
    public void onLine(Bytes line) {
      bytes += length(line);
    }

    @Override
    public void onEnd() {}
  }

  private long reader() throws IOException {
    long bytes = 0;
    try (LineReader lines = LineReader.open(request, LINE_BYTES_MAX)) {
      for (Bytes line = lines.next(); line != null; line = lines.next()) {
        bytes += length(line);
      }
    }
    return bytes;
  }

  private long bufferedReader() throws IOException {
    long bytes = 0;
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(upload.inputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        bytes += line.length();
      }
    }
    return bytes;
  }

  private long netty() {
    NettyCounter counter = new NettyCounter();
    EmbeddedChannel channel =
        new EmbeddedChannel(new LineBasedFrameDecoder(LINE_BYTES_MAX), counter);
    for (MemorySegment piece : upload.pieces()) {
      channel.writeInbound(Unpooled.wrappedBuffer(piece.asByteBuffer()));
    }
    channel.finishAndReleaseAll();
    return counter.bytes;
  }

  private final class NettyCounter extends SimpleChannelInboundHandler<ByteBuf> {
    private long bytes;

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf line) {
      bytes += text ? line.toString(StandardCharsets.UTF_8).length() : line.readableBytes();
    }
  }
}
