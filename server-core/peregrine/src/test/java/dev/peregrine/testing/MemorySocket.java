package dev.peregrine.testing;

import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A socket without a network: brings given pieces of bytes, one a read, or those of a {@link Peer},
 * then the end of the stream, and keeps what is written. Used by the loop's thread; other threads
 * may read the written bytes after its end.
 */
public final class MemorySocket implements StreamSocket {
  private static final SocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  /** The other side of a connection, on the loop's thread. */
  public interface Peer {
    /** Returns the next bytes, when the server waits for them; null for the end of the stream. */
    byte @Nullable [] next();

    /** The server has sent bytes. */
    void receive(byte[] bytes);
  }

  private final Deque<ByteBuffer> pieces = new ArrayDeque<>();
  private final int bytesPerWriteMax;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final @Nullable Peer peer;
  private @Nullable ReadyHandler handler;
  private int interest;
  private boolean blocked; // the last write was partial
  private boolean endAnnounced;
  private boolean quiet; // the server waits for bytes that don't arrive
  private boolean outputEnded;
  private boolean reset;
  private boolean open = true;

  public MemorySocket(List<byte[]> pieces) {
    this(pieces, Integer.MAX_VALUE);
  }

  /**
   * Creates a socket that takes a limited number of bytes in a write, and then none until it is
   * ready.
   */
  public MemorySocket(List<byte[]> pieces, int bytesPerWriteMax) {
    pieces.forEach(piece -> this.pieces.add(ByteBuffer.wrap(piece)));
    this.bytesPerWriteMax = bytesPerWriteMax;
    peer = null;
  }

  /** Creates a socket of a peer, which is asked for bytes once all of the server's were taken. */
  public MemorySocket(Peer peer, int bytesPerWriteMax) {
    this.bytesPerWriteMax = bytesPerWriteMax;
    this.peer = peer;
  }

  // ---- results ----

  /** Returns the bytes that the server has sent. */
  public byte[] written() {
    return written.toByteArray();
  }

  /** Returns true if the server ended its side by itself, not because the client did. */
  public boolean isEndedByServer() {
    return (outputEnded && !quiet) || reset;
  }

  /** Returns true if the server ended the connection with a reset. */
  public boolean isReset() {
    return reset;
  }

  // ---- the network's side ----

  /** Lets one event happen. Returns true if another one can follow. */
  boolean advance() {
    ReadyHandler target = handler;
    if (!open || target == null) {
      return false;
    }
    int ops = 0;
    if ((interest & Ready.WRITE) != 0) {
      blocked = false;
      ops |= Ready.WRITE;
    }
    if ((interest & Ready.READ) != 0) {
      ops |= Ready.READ;
    }
    if (ops == 0) {
      return false;
    }
    if (ops == Ready.READ) {
      askPeer();
    }
    boolean read = peer == null ? (ops & Ready.READ) != 0 : ops == Ready.READ;
    if (pieces.isEmpty() && read) {
      if (endAnnounced && ops == Ready.READ) {
        return false;
      }
      quiet |= !outputEnded;
      endAnnounced = true;
    }
    try {
      target.onReady(ops);
    } catch (Throwable failure) {
      target.onFailure(failure);
    }
    return true;
  }

  private void askPeer() {
    if (peer != null && pieces.isEmpty() && !endAnnounced) {
      byte[] bytes = peer.next();
      if (bytes != null) {
        pieces.add(ByteBuffer.wrap(bytes));
      }
    }
  }

  @Override
  public int read(ByteBuffer target) {
    ByteBuffer piece = pieces.peek();
    if (piece == null) {
      return endAnnounced ? -1 : 0;
    }
    int count = Math.min(piece.remaining(), target.remaining());
    target.put(piece.slice(piece.position(), count));
    piece.position(piece.position() + count);
    if (!piece.hasRemaining()) {
      pieces.remove();
    }
    return count;
  }

  // ---- the server's side ----

  @Override
  public void attach(Poller poller, ReadyHandler readyHandler) {
    handler = readyHandler;
    ((MemoryTransport.MemoryPoller) poller).add(this);
  }

  @Override
  public void interest(int ops) {
    interest = ops;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    if (!open || outputEnded) {
      throw new IOException("written behind the end of the stream");
    }
    int left = blocked ? 0 : bytesPerWriteMax;
    long count = 0;
    for (int i = offset; i < offset + length; i++) {
      int part = Math.min(left, sources[i].remaining());
      byte[] bytes = new byte[part];
      sources[i].get(bytes);
      written.writeBytes(bytes);
      if (peer != null) {
        peer.receive(bytes);
      }
      left -= part;
      count += part;
      blocked |= sources[i].hasRemaining();
    }
    return count;
  }

  @Override
  public void shutdownOutput() {
    outputEnded = true;
  }

  @Override
  public void reset() {
    reset = true;
    open = false;
  }

  @Override
  public void close() {
    outputEnded = true;
    open = false;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public SocketAddress localAddress() {
    return ADDRESS;
  }

  @Override
  public SocketAddress remoteAddress() {
    return ADDRESS;
  }
}
