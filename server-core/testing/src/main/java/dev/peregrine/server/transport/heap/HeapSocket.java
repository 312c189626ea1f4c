package dev.peregrine.server.transport.heap;

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
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose client has sent all of its bytes, takes everything at once, and ends its side
 * after the server has. Used by the loop's thread.
 *
 * <p>What the server sends is kept, up to {@link #SENT_BYTES_MAX}; more fails the connection.
 */
public final class HeapSocket implements StreamSocket {
  private static final SocketAddress ADDRESS =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private static final String INTERIM = "HTTP/1.1 1";
  private static final String SWITCHING_PROTOCOLS = "HTTP/1.1 101";

  /** The most bytes that a server can send. */
  public static final int SENT_BYTES_MAX = 64 * 1024 * 1024;

  private final ByteBuffer received;
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> closed = new CompletableFuture<>();
  private @Nullable ReadyHandler handler;
  private int interest;
  private boolean responded; // with another head than interim ones
  private boolean outputEnded;
  private boolean endRead;
  private boolean disconnected;

  /** Creates the connection of a client that has sent those bytes. */
  public HeapSocket(byte[] received) {
    this.received = ByteBuffer.wrap(received);
  }

  /** Returns the bytes that the server has sent, once it has closed the connection. */
  public CompletableFuture<byte[]> closed() {
    return closed;
  }

  /** Disconnects the client, unless the connection has ended; on the loop's thread. */
  public void disconnect() {
    ReadyHandler target = handler;
    if (isOpen() && target != null) {
      disconnected = true;
      target.onReady(Ready.READ | Ready.ERROR);
    }
  }

  boolean isReady() {
    return readyOps() != 0;
  }

  private int readyOps() {
    boolean readable = received.hasRemaining() || (outputEnded && !endRead);
    return isOpen() ? interest & (readable ? Ready.READ | Ready.WRITE : Ready.WRITE) : 0;
  }

  void dispatch() {
    int ops = readyOps();
    ReadyHandler target = handler;
    if (ops == 0 || target == null) {
      return;
    }
    try {
      target.onReady(ops);
    } catch (Throwable failure) {
      target.onFailure(failure);
    }
  }

  @Override
  public void attach(Poller poller, ReadyHandler readyHandler) {
    handler = readyHandler;
    ((HeapPoller) poller).add(this);
  }

  @Override
  public void interest(int ops) {
    interest = ops;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (disconnected) {
      throw new IOException("the client has disconnected");
    }
    if (!received.hasRemaining()) {
      endRead = outputEnded;
      return endRead ? -1 : 0;
    }
    int count = Math.min(received.remaining(), target.remaining());
    target.put(received.slice(received.position(), count));
    received.position(received.position() + count);
    return count;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return (int) write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    if (outputEnded || !isOpen()) {
      throw new IOException("the connection has ended");
    }
    long count = 0;
    for (int i = offset; i < offset + length; i++) {
      checkRoom(sources[i].remaining());
      byte[] bytes = new byte[sources[i].remaining()];
      sources[i].get(bytes);
      sent.writeBytes(bytes);
      checkHead(bytes);
      count += bytes.length;
    }
    return count;
  }

  /** Fails the exchange if the connection leaves HTTP, because this client has nothing to say. */
  private void checkHead(byte[] bytes) {
    if (!responded) {
      int length = Math.min(bytes.length, SWITCHING_PROTOCOLS.length());
      String start = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
      responded = !start.startsWith(INTERIM);
      if (start.equals(SWITCHING_PROTOCOLS)) {
        closed.completeExceptionally(
            new IOException(
                "the connection was upgraded (101), and a client in memory can't go on: test"
                    + " upgrades and WebSockets with HttpServer on port 0"));
      }
    }
  }

  /** Fails the connection if its client can't keep more bytes. */
  private void checkRoom(int bytes) throws IOException {
    if (bytes > SENT_BYTES_MAX - sent.size()) {
      IOException failure =
          new IOException(
              "the server has sent more than "
                  + SENT_BYTES_MAX
                  + " bytes in memory: test a response of that size by a socket");
      closed.completeExceptionally(failure);
      throw failure;
    }
  }

  @Override
  public void shutdownOutput() {
    outputEnded = true;
  }

  @Override
  public void reset() {
    close();
  }

  @Override
  public void close() {
    closed.complete(sent.toByteArray());
  }

  @Override
  public boolean isOpen() {
    return !closed.isDone();
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
