package dev.peregrine.bench.technique;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.server.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole server sends a response of 4,096 small writes over a loopback connection; per write. They
 * are made on the event loop, or on another thread.
 */
@Warmup(iterations = 15) // so that a whole server is compiled
public class WriteBehindBenchmark extends Technique {
  private static final int WRITES = 4096;
  private static final int STREAM_BYTES = 8 * 1024;
  private static final byte[] GET =
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The ways in which a handler writes. */
  public enum Kind {
    /** On the event loop, each write sent by a call of its own. */
    LOOP_FLUSHING,
    /** On the event loop; the bytes leave when 64 KiB are pending, and at the turn's end. */
    LOOP,
    /** On a virtual thread, through the JDK's stream of 8 KiB. */
    THREAD_BUFFERED,
    /** On a virtual thread, through the server's gate. */
    THREAD,
    /** On a virtual thread, through the server's output stream. */
    THREAD_OUTPUT
  }

  @Param Kind form;

  @Param({"1", "64"})
  int writeBytes;

  private byte[] piece;
  private HttpServer server;
  private Client client;

  /** Starts the server and checks its response. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    piece = new byte[writeBytes];
    piece[writeBytes - 1] = '#';
    Handler handler =
        switch (form) {
          case LOOP_FLUSHING -> this::flushEach;
          case LOOP -> this::writeOnLoop;
          case THREAD_BUFFERED ->
              Handlers.blocking(
                  (request, response) ->
                      write(new BufferedOutputStream(new Copying(begin(response)), STREAM_BYTES)));
          case THREAD ->
              Handlers.blocking((request, response) -> write(new Passing(begin(response))));
          case THREAD_OUTPUT ->
              Handlers.blocking((request, response) -> write(sized(response).outputStream()));
        };
    server = SettledServer.start(handler);
    client = new Client(server.address(), GET);
    String answer = client.learn("#", WRITES);
    String content = new String(piece, StandardCharsets.ISO_8859_1).repeat(WRITES);
    check(answer.endsWith("\r\n\r\n" + content), "response of " + answer.length() + " bytes");
    SettledServer.settle(client::exchange);
  }

  /** Stops the server. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    client.close();
    server.close();
  }

  /** Sends a request, and waits for the response. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  public int exchange() throws IOException {
    return client.exchange();
  }

  private Response sized(Response response) {
    return response.contentLength((long) WRITES * writeBytes);
  }

  private ResponseStream begin(Response response) {
    return sized(response).stream();
  }

  private void flushEach(Request request, Response response) {
    ResponseStream out = begin(response);
    for (int i = 0; i < WRITES; i++) {
      out.write(piece).flush();
    }
    out.complete();
  }

  private void writeOnLoop(Request request, Response response) {
    new LoopWriter(begin(response.async())).run();
  }

  private void write(OutputStream out) throws IOException {
    try (out) {
      for (int i = 0; i < WRITES; i++) {
        out.write(piece);
      }
    }
  }

  /** Writes as long as the stream may be written to, and continues when it may be again. */
  private final class LoopWriter implements Runnable {
    private final ResponseStream out;
    private int written;

    LoopWriter(ResponseStream out) {
      this.out = out;
    }

    @Override
    public void run() {
      while (written < WRITES && out.isWritable()) {
        out.write(piece);
        written++;
      }
      if (written < WRITES) {
        out.onWritable(this);
      } else {
        out.complete();
      }
    }
  }

  /** Passes a copy of each write on, because the array is going to be used again. */
  private static final class Copying extends Passing {
    Copying(ResponseStream out) {
      super(out);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
      super.write(Arrays.copyOfRange(source, from, from + length), 0, length);
    }
  }

  /** Passes writes on, and waits while 64 KiB are pending. */
  private static class Passing extends OutputStream {
    private final ResponseStream out;

    Passing(ResponseStream out) {
      this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
      out.awaitWritable();
      out.write(source, from, length);
    }

    @Override
    public void close() {
      out.complete();
    }
  }
}
