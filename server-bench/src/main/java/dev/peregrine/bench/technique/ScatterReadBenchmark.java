package dev.peregrine.bench.technique;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Sends bytes to a socket of the same thread, and reads them by one call: into a block of 64 KiB,
 * or scattered over 16 blocks of 4 KiB.
 */
public class ScatterReadBenchmark extends Technique {
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int PARTS = 16;
  private static final int PART_BYTES = BLOCK_BYTES / PARTS;
  private static final int VECTOR_BYTES = 2 * Long.BYTES; // struct iovec

  @Param({"200", "65536"})
  int bytes;

  private final Arena memory = Arena.ofConfined();
  private final MemorySegment sent = memory.allocate(BLOCK_BYTES);
  private final MemorySegment block = memory.allocate(BLOCK_BYTES);
  private final MemorySegment vectors = memory.allocate(PARTS * VECTOR_BYTES, Long.BYTES);
  private final ByteBuffer source = sent.asByteBuffer();
  private final ByteBuffer whole = block.asByteBuffer();
  private final ByteBuffer[] parts = new ByteBuffer[PARTS];
  private SocketChannel near;
  private SocketChannel far;
  private SocketPair pair;

  /** Connects, and checks that all forms read the same bytes. */
  @Setup
  public void setUp() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      near = SocketChannel.open(server.getLocalAddress());
      far = server.accept();
    }
    pair = new SocketPair();
    byte[] expected = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      expected[i] = (byte) (31 * i);
    }
    source.put(0, expected);
    for (int i = 0; i < PARTS; i++) {
      MemorySegment part = block.asSlice((long) i * PART_BYTES, PART_BYTES);
      parts[i] = part.asByteBuffer();
      vectors.set(ValueLayout.JAVA_LONG, (long) i * VECTOR_BYTES, part.address());
      vectors.set(ValueLayout.JAVA_LONG, (long) i * VECTOR_BYTES + Long.BYTES, PART_BYTES);
    }
    nioOne();
    checkRead(expected);
    nioScattered();
    checkRead(expected);
    ffmOne();
    checkRead(expected);
    ffmScattered();
    checkRead(expected);
  }

  /** Disconnects. */
  @TearDown
  public void tearDown() throws IOException {
    near.close();
    far.close();
    pair.close();
    memory.close();
  }

  /** {@code java.nio}, one block: the server's way on that transport. */
  @Benchmark
  public void nioOne() throws IOException {
    near.write(source.clear().limit(bytes));
    whole.clear();
    while (whole.position() < bytes) {
      far.read(whole);
    }
  }

  /** {@code java.nio}, 16 blocks. */
  @Benchmark
  public void nioScattered() throws IOException {
    near.write(source.clear().limit(bytes));
    for (ByteBuffer part : parts) {
      part.clear();
    }
    long read = 0;
    while (read < bytes) {
      read += far.read(parts);
    }
  }

  /** The system's {@code recv}, one block: the server's way on the epoll transport. */
  @Benchmark
  public void ffmOne() {
    requireAll(pair.write(sent.address(), bytes));
    requireAll(pair.receive(block.address(), BLOCK_BYTES));
  }

  /** The system's {@code readv}, 16 blocks. */
  @Benchmark
  public void ffmScattered() {
    requireAll(pair.write(sent.address(), bytes));
    requireAll(pair.scatter(vectors.address(), PARTS));
  }

  private void requireAll(long transferred) {
    if (transferred != bytes) {
      throw new IllegalStateException(transferred + " of " + bytes + " bytes");
    }
  }

  private void checkRead(byte[] expected) {
    byte[] read = new byte[bytes];
    whole.get(0, read);
    check(Arrays.equals(read, expected), "bytes read");
    block.fill((byte) 0);
  }
}
