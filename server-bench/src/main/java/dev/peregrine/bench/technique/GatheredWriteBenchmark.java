package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.BufferPool;
import dev.peregrine.server.memory.OutboundChannel;
import dev.peregrine.server.memory.OutboundQueue;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Sends 16 pieces over a loopback connection: one by one, gathered, or copied together first. */
public class GatheredWriteBenchmark extends Technique {
  private static final int PIECES = 16;

  @Param({"64", "1024", "16384", "32768"})
  int pieceBytes;

  private final ByteBuffer[] pieces = new ByteBuffer[PIECES];
  private final BufferPool pool = new BufferPool();
  private final OutboundQueue queue = new OutboundQueue(pool);
  private ByteBuffer together;
  private Loopback loopback;
  private OutboundChannel channel;

  /** Connects, and checks that all forms send the same bytes. */
  @Setup
  public void setUp() throws IOException {
    loopback = new Loopback();
    channel = loopback.outbound();
    together = ByteBuffer.allocateDirect(PIECES * pieceBytes);
    for (int i = 0; i < PIECES; i++) {
      pieces[i] = ByteBuffer.allocateDirect(pieceBytes);
      while (pieces[i].hasRemaining()) {
        pieces[i].put((byte) (31 * i + pieces[i].position()));
      }
      pieces[i].flip();
    }
    writes();
    long expected = loopback.takeHash();
    gathered();
    checkEqual(expected, loopback.takeHash());
    copied();
    checkEqual(expected, loopback.takeHash());
    outboundQueue();
    checkEqual(expected, loopback.takeHash());
    loopback.hashNothing();
  }

  /** Disconnects. */
  @TearDown
  public void tearDown() throws IOException, InterruptedException {
    queue.clear();
    pool.close();
    loopback.close();
  }

  /** Makes a call for each piece. */
  @Benchmark
  public void writes() throws IOException {
    for (ByteBuffer piece : pieces) {
      loopback.write(piece.clear());
    }
  }

  /** Sends all pieces from their places by one call. */
  @Benchmark
  public void gathered() throws IOException {
    for (ByteBuffer piece : pieces) {
      piece.clear();
    }
    loopback.write(pieces);
  }

  /** Copies the pieces one after another, then makes one call. */
  @Benchmark
  public void copied() throws IOException {
    together.clear();
    for (ByteBuffer piece : pieces) {
      together.put(piece.clear());
    }
    loopback.write(together.flip());
  }

  /** The server's queue: copies pieces up to 16 KiB, gathers longer ones. */
  @Benchmark
  public void outboundQueue() throws IOException {
    for (ByteBuffer piece : pieces) {
      queue.append(piece.clear());
    }
    while (!queue.isEmpty()) {
      queue.writeTo(channel);
    }
  }
}
