package dev.peregrine.server.connection;

import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A socket with the buffers of both systems, which hide the client's progress: the server's is
 * writable again when a third of it is free, and the client's announces room again when a part of
 * it is.
 */
final class KernelModel implements StreamSocket {
  private final long sendBufferBytes;
  private final long receiveBufferBytes;
  private final long announcedBytes;
  private final boolean tells;
  private long unacknowledged;
  private long received; // by the client's system, not yet by the client
  private long window;
  private boolean full;
  private int interest;
  private long acknowledged;
  private boolean reset;
  private boolean open = true;

  /**
   * Creates a socket.
   *
   * @param announcedBytes room from which on the client's system announces it
   * @param tells whether the transport reports acknowledged bytes
   */
  KernelModel(long sendBufferBytes, long receiveBufferBytes, long announcedBytes, boolean tells) {
    this.sendBufferBytes = sendBufferBytes;
    this.receiveBufferBytes = receiveBufferBytes;
    this.announcedBytes = announcedBytes;
    this.tells = tells;
    this.window = receiveBufferBytes;
  }

  // ---- the client's side ----

  /** Lets the client read bytes, at most those that have arrived; returns how many. */
  long read(long bytes) {
    long read = Math.min(bytes, received);
    received -= read;
    if (receiveBufferBytes - received >= announcedBytes) {
      window = Math.max(window, receiveBufferBytes - received);
    }
    return read;
  }

  /** Moves written bytes to the client's system, as far as its buffer has room. */
  void transfer() {
    long moved = Math.min(unacknowledged, window);
    unacknowledged -= moved;
    window -= moved;
    received += moved;
    acknowledged += moved;
  }

  // ---- what the test looks at ----

  /** Returns true if the handler must be notified that it can write. */
  boolean isWritable(int op) {
    long most = full ? sendBufferBytes * 2 / 3 : sendBufferBytes - 1;
    return open && (interest & op) != 0 && unacknowledged <= most;
  }

  long acknowledged() {
    return acknowledged;
  }

  boolean wasReset() {
    return reset;
  }

  // ---- the socket ----

  @Override
  public void attach(Poller poller, ReadyHandler handler) {}

  @Override
  public void interest(int ops) {
    interest = ops;
  }

  @Override
  public int read(ByteBuffer target) {
    return 0;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long taken = 0;
    for (int i = offset; i < offset + length; i++) {
      int part = (int) Math.min(sources[i].remaining(), sendBufferBytes - unacknowledged);
      sources[i].position(sources[i].position() + part);
      unacknowledged += part;
      taken += part;
      full = sources[i].hasRemaining();
    }
    return taken;
  }

  @Override
  public long acknowledgedBytes() {
    return tells ? acknowledged : UNKNOWN;
  }

  @Override
  public long unacknowledgedBytes() {
    return tells ? unacknowledged : UNKNOWN;
  }

  @Override
  public void shutdownOutput() {}

  @Override
  public SocketAddress localAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
  }

  @Override
  public SocketAddress remoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 12345);
  }

  @Override
  public void reset() {
    reset = true;
    open = false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
  }
}
