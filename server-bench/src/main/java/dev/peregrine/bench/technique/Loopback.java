package dev.peregrine.bench.technique;

import dev.peregrine.server.memory.OutboundChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLong;

/** A connection to this machine, whose other end reads as fast as it can. */
final class Loopback {
  private static final int READ_BYTES = 1024 * 1024;

  private final SocketChannel near;
  private final SocketChannel far;
  private final Thread reader;
  private final AtomicLong bytesRead = new AtomicLong();
  private volatile boolean hashes = true;
  private int hash; // of the bytes that were read since the last one was taken
  private long bytesWritten;

  Loopback() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      near = SocketChannel.open(server.getLocalAddress());
      far = server.accept();
    }
    near.setOption(StandardSocketOptions.TCP_NODELAY, true);
    reader = Thread.ofPlatform().name("loopback").daemon().start(this::read);
  }

  /** Writes all of a buffer. */
  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      bytesWritten += near.write(bytes);
    }
  }

  /** Writes all of the buffers, in one call if the socket takes them. */
  void write(ByteBuffer[] bytes) throws IOException {
    while (bytes[bytes.length - 1].hasRemaining()) {
      bytesWritten += near.write(bytes);
    }
  }

  /** Returns the near end, as a channel for outbound queues. */
  OutboundChannel outbound() {
    return new Outbound();
  }

  /** Waits until all that was written has arrived; returns a hash of what came since the last. */
  int takeHash() {
    while (bytesRead.get() != bytesWritten) {
      Thread.onSpinWait();
    }
    int taken = hash;
    hash = 0;
    return taken;
  }

  /** Only drops the bytes that arrive from now on. */
  void hashNothing() {
    hashes = false;
  }

  /** Closes both ends. */
  void close() throws IOException, InterruptedException {
    near.close();
    reader.join();
    far.close();
  }

  private void read() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    try {
      for (int n = 0; n >= 0; n = far.read(buffer.clear())) {
        for (int i = 0; hashes && i < n; i++) {
          hash = 31 * hash + buffer.get(i);
        }
        bytesRead.addAndGet(n);
      }
    } catch (IOException reset) {
      bytesRead.set(-1);
    }
  }

  private final class Outbound implements OutboundChannel {
    @Override
    public int write(ByteBuffer source) throws IOException {
      int n = near.write(source);
      bytesWritten += n;
      return n;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
      long n = near.write(sources, offset, length);
      bytesWritten += n;
      return n;
    }

    @Override
    public boolean isOpen() {
      return near.isOpen();
    }

    @Override
    public void close() throws IOException {
      near.close();
    }
  }
}
