package dev.peregrine.bench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One connection of a generator: writes a batch, and compares what it receives with the responses
 * expected.
 */
final class NioClient {
  private final SocketChannel channel;
  private final SelectionKey key;
  private final Batch batch;
  private final ByteBuffer requests;
  private long beginNanos;
  private int received; // bytes of this batch's responses
  private boolean answered;

  /** Connects; blocks meanwhile. */
  NioClient(Selector selector, int port, Batch batch) throws IOException {
    this.batch = batch;
    requests = batch.requests().duplicate();
    channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ, this);
  }

  /**
   * Begins a batch.
   *
   * @param beginNanos the begin of its time, by {@link System#nanoTime}
   */
  void send(long beginNanos) throws IOException {
    requests.rewind();
    received = 0;
    this.beginNanos = beginNanos;
    write();
  }

  /**
   * Continues with the operations that the socket is ready for. Returns true if a batch was
   * answered.
   *
   * @param scratch memory for received bytes
   * @throws IOException if the connection breaks, or if something else was received than expected
   */
  boolean onReady(ByteBuffer scratch) throws IOException {
    if (key.isWritable()) {
      write();
    }
    if (!key.isReadable()) {
      return false;
    }
    int count = channel.read(scratch.clear());
    if (count < 0) {
      throw new EOFException("the server has closed the connection");
    }
    MemorySegment bytes = MemorySegment.ofBuffer(scratch.flip());
    if (received + count > batch.responseBytes()
        || !batch.response().goesOn(bytes, count, received)) {
      throw new IOException("a response differs from the first one");
    }
    received += count;
    if (received < batch.responseBytes()) {
      return false;
    }
    answered = true;
    return true;
  }

  /** Returns the begin of the last batch. */
  long beginNanos() {
    return beginNanos;
  }

  /** Returns true if it still waits for the first response. */
  boolean isUnanswered() {
    return key.isValid() && !answered;
  }

  /** Closes the connection. */
  void abandon() {
    key.cancel();
  }

  private void write() throws IOException {
    channel.write(requests);
    int wanted =
        requests.hasRemaining()
            ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
            : SelectionKey.OP_READ;
    if (key.interestOps() != wanted) {
      key.interestOps(wanted);
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
