package dev.peregrine.bench.technique;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** Sends 16 pieces over a loopback connection: one by one, gathered, or copied together first. */
public class GatheredWriteBenchmark extends Technique {
  private static final int PIECES = 16;

  @Param({"64", "1024", "4096", "16384"})
  int pieceBytes;

  private final ByteBuffer[] pieces = new ByteBuffer[PIECES];
  private ByteBuffer together;
  private Loopback loopback;

  /** Connects, and checks that all forms send all bytes. */
  @Setup
  public void setUp() throws IOException {
    loopback = new Loopback();
    together = ByteBuffer.allocateDirect(PIECES * pieceBytes);
    for (int i = 0; i < PIECES; i++) {
      pieces[i] = ByteBuffer.allocateDirect(pieceBytes);
    }
    writes();
    gathered();
    copied();
    check(loopback.awaitArrival() == 3L * PIECES * pieceBytes, "bytes sent");
  }

  /** Disconnects. */
  @TearDown
  public void tearDown() throws IOException, InterruptedException {
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
}
