package dev.peregrine.bench.technique;

import dev.peregrine.server.exchange.WriteGate;
import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OutboundChannel;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Many small writes of a handler, per write: each one sent, or sent when enough are pending. */
public class WriteBehindBenchmark extends Technique {
  private static final int WRITES = 512;
  private static final int FORMS = 4;
  private static final int STREAM_BYTES = 8 * 1024;
  private static final int PENDING_BYTES_MAX = 64 * 1024;

  @Param({"64", "512"})
  int writeBytes;

  private final BufferPool pool = new BufferPool();
  private final OutboundQueue queue = new OutboundQueue(pool);
  private final WriteGate gate = new WriteGate(PENDING_BYTES_MAX);
  private byte[] piece;
  private ByteBuffer direct;
  private Loopback loopback;
  private OutboundChannel channel;
  private OutputStream stream;

  /** Connects, and checks that all forms send all bytes. */
  @Setup
  public void setUp() throws IOException {
    piece = new byte[writeBytes];
    direct = ByteBuffer.allocateDirect(writeBytes);
    loopback = new Loopback();
    channel = loopback.outbound();
    stream = new BufferedOutputStream(new Sending(), STREAM_BYTES);
    flushEach();
    bufferedStream();
    writeBehind();
    writeBehindGate();
    check(loopback.awaitArrival() == (long) FORMS * WRITES * writeBytes, "bytes sent");
  }

  /** Disconnects. */
  @TearDown
  public void tearDown() throws IOException, InterruptedException {
    queue.clear();
    pool.close();
    loopback.close();
  }

  /** A call for each write. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  public void flushEach() throws IOException {
    for (int i = 0; i < WRITES; i++) {
      loopback.write(direct.clear().put(piece).flip());
    }
  }

  /** A call for each 8 KiB, through the JDK's stream. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  public void bufferedStream() throws IOException {
    for (int i = 0; i < WRITES; i++) {
      stream.write(piece);
    }
    stream.flush();
  }

  /** The server's way on the event loop: up to 64 KiB are pending, then one call sends them. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  public void writeBehind() throws IOException {
    for (int i = 0; i < WRITES; i++) {
      queue.append(piece, 0, piece.length);
      if (queue.pendingBytes() >= PENDING_BYTES_MAX) {
        flush();
      }
    }
    flush();
  }

  /** The same with the gate that counts the writes of other threads: each takes a lock twice. */
  @Benchmark
  @OperationsPerInvocation(WRITES)
  public void writeBehindGate() throws IOException {
    for (int i = 0; i < WRITES; i++) {
      gate.add(piece.length);
      queue.append(piece, 0, piece.length);
      if (!gate.isOpen()) {
        flush();
        gate.passed(PENDING_BYTES_MAX);
      }
    }
    flush();
    gate.passed((long) WRITES * writeBytes % PENDING_BYTES_MAX);
  }

  private void flush() throws IOException {
    while (!queue.isEmpty()) {
      queue.writeTo(channel);
    }
  }

  private final class Sending extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] source, int from, int length) throws IOException {
      loopback.write(ByteBuffer.wrap(source, from, length));
    }
  }
}
