package dev.peregrine.bench.partial;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestHead;
import dev.peregrine.parser.RequestParser;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * Counts the heads that arrive split over reads. Reads and parses as an event loop does, 64 KiB at
 * a time, and responds to all requests of a read with one write. Point a client at it.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.partial.PartialHeads PORT SECONDS
 * </pre>
 */
public final class PartialHeads {
  private static final int READ_BYTES = 64 * 1024;
  private static final byte[] RESPONSE =
      "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, World!"
          .getBytes(StandardCharsets.US_ASCII);
  private static final int MILLIS_PER_SECOND = 1000;

  private final RequestParser parser = new RequestParser(ParserLimits.DEFAULT);
  private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
  private final MemorySegment segment = MemorySegment.ofBuffer(in);
  private ByteBuffer out = ByteBuffer.allocateDirect(READ_BYTES);
  private long reads;
  private long heads;
  private long split;

  private PartialHeads() {}

  /** Runs with a port, and the seconds after which it ends. */
  public static void main(String[] args) throws IOException {
    if (args.length != 2) {
      System.err.println("usage: PartialHeads PORT SECONDS");
      System.exit(2);
    }
    PartialHeads counted = new PartialHeads();
    counted.serve(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
    System.out.printf(
        "%d heads in %d reads, %d split: %.4f %%%n",
        counted.heads,
        counted.reads,
        counted.split,
        counted.heads == 0 ? 0 : 100.0 * counted.split / counted.heads);
  }

  private void serve(int port, int seconds) throws IOException {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    try (Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      listener.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
      while (System.nanoTime() - end < 0) {
        selector.select(
            key -> {
              try {
                onReady(key);
              } catch (IOException e) {
                key.cancel();
              }
            },
            MILLIS_PER_SECOND);
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
    }
  }

  private void onReady(SelectionKey key) throws IOException {
    if (key.isAcceptable()) {
      SocketChannel client = ((ServerSocketChannel) key.channel()).accept();
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      client.configureBlocking(false);
      client.register(key.selector(), SelectionKey.OP_READ, new Carried());
      return;
    }
    Carried carried = (Carried) key.attachment();
    SocketChannel client = (SocketChannel) key.channel();
    in.clear().put(carried.bytes, 0, carried.count);
    if (client.read(in) < 0) {
      client.close();
      return;
    }
    reads++;
    out.clear();
    int from = take(carried, in.position());
    carried.keep(in, from);
    out.flip();
    while (out.hasRemaining()) { // the clients read all the time
      client.write(out);
    }
  }

  /** Takes all complete requests. Returns the offset after the last one. */
  private int take(Carried carried, int to) throws IOException {
    int from = 0;
    while (from < to) {
      long content = Math.min(carried.contentLeft, to - from);
      carried.contentLeft -= content;
      from += (int) content;
      if (from == to) {
        break;
      }
      boolean continued = carried.head.isPartial();
      int length = parser.parse(segment, from, to, carried.head);
      if (length == RequestParser.NEED_MORE) {
        break;
      }
      if (length == RequestParser.REJECTED || carried.head.isChunked()) {
        throw new IOException("a request that is rejected or chunked");
      }
      heads++;
      split += continued ? 1 : 0;
      carried.contentLeft = Math.max(0, carried.head.contentLength());
      from += length;
      respond();
    }
    return from;
  }

  private void respond() {
    if (out.remaining() < RESPONSE.length) {
      out = ByteBuffer.allocateDirect(2 * out.capacity()).put(out.flip());
    }
    out.put(RESPONSE);
  }

  /** The bytes of a part of a head, which a connection keeps from read to read. */
  private static final class Carried {
    private final RequestHead head = new RequestHead();
    private byte[] bytes = new byte[0];
    private int count;
    private long contentLeft;

    void keep(ByteBuffer in, int from) {
      count = in.position() - from;
      if (bytes.length < count) {
        bytes = new byte[count];
      }
      in.get(from, bytes, 0, count);
    }
  }
}
