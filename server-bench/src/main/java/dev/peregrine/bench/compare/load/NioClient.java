package dev.peregrine.bench.compare.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection of {@link NioGenerator}: writes a batch, counts the bytes of its responses, and
 * compares how each response begins. All responses are as long as the first, which was checked.
 */
final class NioClient {
  private static final byte[] STATUS_LINE = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final SocketChannel channel;
  private final SelectionKey key;
  private final ByteBuffer batch;
  private final int responseBytes;
  private final int batchResponseBytes;
  private final LatencyHistogram latencies;
  private long sentNanos;
  private int received; // of this batch's responses

  /** Connects, blocking. */
  NioClient(
      Selector selector,
      int port,
      ByteBuffer batch,
      int depth,
      int responseBytes,
      LatencyHistogram l)
      throws IOException {
    this.batch = batch;
    this.responseBytes = responseBytes;
    this.batchResponseBytes = depth * responseBytes;
    this.latencies = l;
    channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Begins a batch. */
  void send() throws IOException {
    batch.rewind();
    received = 0;
    sentNanos = System.nanoTime();
    write();
  }

  /** Goes on with what the socket is ready for. Returns whether a batch was answered. */
  boolean onReady(ByteBuffer scratch) throws IOException {
    if (key.isWritable()) {
      write();
    }
    if (!key.isReadable()) {
      return false;
    }
    scratch.clear();
    int count = channel.read(scratch);
    if (count < 0) {
      throw new EOFException("the server has closed the connection");
    }
    check(scratch, count);
    received += count;
    if (received < batchResponseBytes) {
      return false;
    }
    latencies.record(System.nanoTime() - sentNanos);
    return true;
  }

  private void write() throws IOException {
    channel.write(batch);
    int wanted =
        batch.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    if (key.interestOps() != wanted) {
      key.interestOps(wanted);
    }
  }

  /** Compares the beginnings of responses among the bytes just read. */
  private void check(ByteBuffer bytes, int count) throws IOException {
    int behind = received % responseBytes;
    for (int at = behind == 0 ? 0 : responseBytes - behind; at < count; at += responseBytes) {
      int length = Math.min(STATUS_LINE.length, count - at);
      for (int i = 0; i < length; i++) {
        if (bytes.get(at + i) != STATUS_LINE[i]) {
          throw new IOException("a response has another status, or another length than the first");
        }
      }
    }
    if (received + count > batchResponseBytes) {
      throw new IOException("more was received than was asked for");
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
