package dev.peregrine.bench.lines;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.peregrine.Peregrine;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.RetainedBytes;
import dev.peregrine.http.lines.LineFlow;
import dev.peregrine.http.lines.LineListener;
import dev.peregrine.http.lines.LineReader;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A measurement of the ways to read an upload in a server, in turn, the last one in Netty's: the
 * processor time and the heap bytes of the whole process, client included. Run it with the length
 * of an upload in bytes:
 *
 * <pre>
 *   java --add-opens java.base/java.lang=ALL-UNNAMED -cp benchmarks.jar \
 *     dev.peregrine.bench.lines.UploadCost 10000000
 * </pre>
 */
public final class UploadCost {
  private static final byte[] LINE = line();
  private static final int LINE_BYTES_MAX = 1024;
  private static final int WARM_UPS = 8;
  private static final int ROUNDS = 15;
  private static final long BYTES_OF_A_ROUND = 100_000_000;

  private UploadCost() {}

  private static byte[] line() {
    return ("0123456789".repeat(8) + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /** A way to read an upload, which responds with the length that it has seen. */
  private enum Way {
    STREAM {
      @Override
      void handle(Request request, Response response) throws IOException {
        drain(request.body().inputStream(), response);
      }
    },
    STREAM_OVER_RETAINED {
      @Override
      void handle(Request request, Response response) throws IOException {
        drain(new RetainedStream(request.body()), response);
      }
    },
    LINES_OF_BUFFERED_READER {
      @Override
      void handle(Request request, Response response) throws IOException {
        long length = 0;
        InputStream in = request.body().inputStream();
        try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
          for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            length += line.length() + 1L;
          }
        }
        response.text(Long.toString(length));
      }
    },
    LINE_READER {
      @Override
      void handle(Request request, Response response) throws IOException {
        long length = 0;
        try (LineReader lines = LineReader.open(request, LINE_BYTES_MAX)) {
          for (Bytes line = lines.next(); line != null; line = lines.next()) {
            length += line.length() + 1L;
          }
        }
        response.text(Long.toString(length));
      }
    },
    LINE_FLOW {
      @Override
      void handle(Request request, Response response) {
        LineFlow _ = LineFlow.receive(request, response, LINE_BYTES_MAX, new Summing(response));
      }
    },
    /** By another server: {@link NettyLines}. */
    LINES_OF_NETTY {
      @Override
      void handle(Request request, Response response) {
        throw new UnsupportedOperationException();
      }
    };

    abstract void handle(Request request, Response response) throws IOException;

    boolean isBlocking() {
      return this != LINE_FLOW;
    }

    private static void drain(InputStream content, Response response) throws IOException {
      byte[] part = new byte[64 * 1024];
      long length = 0;
      try (content) {
        for (int read = content.read(part); read >= 0; read = content.read(part)) {
          length += read;
        }
      }
      response.text(Long.toString(length));
    }
  }

  /** Sums the lengths of lines up. */
  private static final class Summing implements LineListener {
    private final Response response;
    private long length;

    Summing(Response response) {
      this.response = response;
    }

    @Override
    public void onLine(Bytes line) {
      length += line.length() + 1L;
    }

    @Override
    public void onEnd() {
      response.text(Long.toString(length));
    }
  }

  /** Content that is copied once, out of the blocks that it was received in. */
  private static final class RetainedStream extends InputStream implements BodyListener {
    private static final int WAITING_BYTES_MAX = 256 * 1024;

    private final RequestBody body;
    private final BlockingQueue<Optional<RetainedBytes>> pieces = new LinkedBlockingQueue<>();
    private final AtomicLong waiting = new AtomicLong();
    private Optional<RetainedBytes> piece = Optional.empty();
    private int done; // of the piece
    private boolean ended;

    RetainedStream(RequestBody body) {
      this.body = body;
      body.receive(this);
    }

    @Override
    public void onData(Bytes data) {
      pieces.add(Optional.of(data.retain()));
      if (waiting.addAndGet(data.length()) >= WAITING_BYTES_MAX) {
        body.pause();
      }
    }

    @Override
    public void onEnd() {
      pieces.add(Optional.empty());
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] target, int from, int length) throws IOException {
      if (piece.isEmpty() && !ended) {
        piece = next();
        done = 0;
        ended = piece.isEmpty();
      }
      if (ended) {
        return -1;
      }
      RetainedBytes bytes = piece.get();
      int part = Math.min(length, bytes.length() - done);
      bytes.copyTo(done, target, from, part);
      done += part;
      if (done == bytes.length()) {
        release(bytes);
      }
      return part;
    }

    private Optional<RetainedBytes> next() throws InterruptedIOException {
      try {
        return pieces.take();
      } catch (InterruptedException stop) {
        throw new InterruptedIOException("interrupted");
      }
    }

    private void release(RetainedBytes bytes) {
      long length = bytes.length();
      bytes.release();
      piece = Optional.empty();
      long left = waiting.addAndGet(-length);
      if (left < WAITING_BYTES_MAX / 2 && left + length >= WAITING_BYTES_MAX / 2) {
        body.resume();
      }
    }
  }

  public static void main(String[] arguments) throws Exception {
    int lines = Integer.parseInt(arguments[0]) / LINE.length;
    Handler blocking =
        Handlers.blocking((request, response) -> way(request).handle(request, response));
    Handler handler =
        (request, response) -> {
          if (way(request).isBlocking()) {
            blocking.handle(request, response);
          } else {
            way(request).handle(request, response);
          }
        };
    try (HttpServer server =
            Peregrine.builder()
                .handler(handler)
                .loops(1)
                .endpoint(Endpoint.tcp("127.0.0.1", 0))
                .start();
        NettyLines netty = new NettyLines(LINE_BYTES_MAX);
        SocketChannel client =
            SocketChannel.open((InetSocketAddress) server.addresses().getFirst());
        SocketChannel nettyClient = SocketChannel.open(netty.address())) {
      measure(client, nettyClient, lines);
    }
  }

  private static Way way(Request request) {
    return Way.valueOf(request.path().substring(1));
  }

  private static void measure(SocketChannel client, SocketChannel nettyClient, int lines)
      throws IOException {
    Way[] ways = Way.values();
    double[][] millis = new double[ways.length][ROUNDS];
    double[][] bytes = new double[ways.length][ROUNDS];
    int requests = (int) Math.max(1, BYTES_OF_A_ROUND / ((long) lines * LINE.length));
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      for (int way = 0; way < ways.length; way++) {
        ByteBuffer request = request(ways[way], lines);
        SocketChannel caller = ways[way] == Way.LINES_OF_NETTY ? nettyClient : client;
        long cpuBefore = cpuNanos();
        long bytesBefore = allocatedBytes();
        for (int i = 0; i < requests; i++) {
          exchange(caller, request, lines * LINE.length);
        }
        if (round >= 0) {
          bytes[way][round] = (allocatedBytes() - bytesBefore) / (double) requests;
          millis[way][round] = (cpuNanos() - cpuBefore) / 1e6 / requests;
        }
      }
    }
    for (int way = 0; way < ways.length; way++) {
      double[] times = millis[way];
      Arrays.sort(times);
      Arrays.sort(bytes[way]);
      System.out.printf(
          Locale.ROOT,
          "%-25s %.3f ms of CPU (%.3f to %.3f), %,.0f B%n",
          ways[way],
          times[ROUNDS / 2],
          times[1],
          times[ROUNDS - 2],
          bytes[way][ROUNDS / 2]);
    }
  }

  private static ByteBuffer request(Way way, int lines) {
    String head =
        "POST /" + way + " HTTP/1.1\r\nHost: test\r\nContent-Length: " + lines * LINE.length;
    byte[] headBytes = (head + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer request = ByteBuffer.allocateDirect(headBytes.length + lines * LINE.length);
    request.put(headBytes);
    for (int i = 0; i < lines; i++) {
      request.put(LINE);
    }
    return request;
  }

  private static void exchange(SocketChannel client, ByteBuffer request, int length)
      throws IOException {
    request.rewind();
    while (request.hasRemaining()) {
      client.write(request);
    }
    ByteBuffer response = ByteBuffer.allocate(1024);
    String end = "\r\n\r\n" + length;
    while (!text(response).endsWith(end)) {
      if (client.read(response) < 0) {
        throw new EOFException(text(response));
      }
    }
  }

  private static String text(ByteBuffer read) {
    return StandardCharsets.US_ASCII.decode(read.duplicate().flip()).toString();
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long allocatedBytes() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getTotalThreadAllocatedBytes();
  }
}
