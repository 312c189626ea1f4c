package dev.peregrine.bench.codec;

import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose every read returns the next bytes of a script, except after {@link #bringOnce},
 * and whose writes take all bytes with one copy, as a kernel would. Written bytes are counted, and
 * kept after {@link #record}.
 */
final class ScriptedSocket implements StreamSocket {
  private static final SocketAddress NOWHERE = InetSocketAddress.createUnresolved("script", 0);

  private final Script script;
  private final ByteBuffer taken;
  private @Nullable ByteArrayOutputStream recorded;
  private long bytesWritten;
  private long readsLeft = Long.MAX_VALUE;
  private boolean open = true;

  /** The source of the bytes that a socket brings. */
  @FunctionalInterface
  interface Script {
    /** Returns the bytes of the next read, from 0 to the capacity. */
    ByteBuffer next();
  }

  ScriptedSocket(byte[] bytes, int largestWrite) {
    ByteBuffer same = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
    this(() -> same, largestWrite);
  }

  ScriptedSocket(Script script, int largestWrite) {
    this.script = script;
    taken = ByteBuffer.allocateDirect(largestWrite);
  }

  /**
   * Opens the socket again: the next read returns the bytes, the one after it the end of the
   * stream.
   */
  void bringOnce() {
    readsLeft = 1;
    open = true;
  }

  /** Keeps the bytes that are written from now on. */
  ByteArrayOutputStream record() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    recorded = bytes;
    return bytes;
  }

  void stopRecording() {
    recorded = null;
  }

  long bytesWritten() {
    return bytesWritten;
  }

  @Override
  public void attach(Poller poller, ReadyHandler handler) {
    ((ScriptedPoller) poller).tell(handler);
  }

  @Override
  public void interest(int ops) {}

  @Override
  public int read(ByteBuffer target) {
    if (readsLeft == 0) {
      return -1;
    }
    readsLeft--;
    ByteBuffer next = script.next();
    int bytes = next.capacity();
    int at = target.position();
    target.put(at, next, 0, bytes).position(at + bytes);
    return bytes;
  }

  @Override
  public int write(ByteBuffer source) {
    int bytes = source.remaining();
    taken.put(0, source, source.position(), bytes);
    if (recorded != null) {
      byte[] copy = new byte[bytes];
      source.get(source.position(), copy);
      recorded.writeBytes(copy);
    }
    source.position(source.limit());
    bytesWritten += bytes;
    return bytes;
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += write(sources[i]);
    }
    return bytes;
  }

  @Override
  public void shutdownOutput() {}

  @Override
  public SocketAddress localAddress() {
    return NOWHERE;
  }

  @Override
  public SocketAddress remoteAddress() {
    return NOWHERE;
  }

  @Override
  public void reset() {
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
