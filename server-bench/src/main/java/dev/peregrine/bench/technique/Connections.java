package dev.peregrine.bench.technique;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A client of one thread with several connections, each of which has one request under way. All
 * responses have the same length.
 */
final class Connections {
  private static final int RESPONSE_BYTES_MAX = 4096;
  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  // A connection that this side closes occupies its pair of ports for a minute.
  private static final int ADDRESSES =
      System.getProperty("os.name").equals("Linux") ? 64 : 1; // where 127.0.0.0/8 is the loopback

  private final InetSocketAddress[] servers = new InetSocketAddress[ADDRESSES];
  private final SocketChannel[] open;
  private final ByteBuffer request;
  private final ByteBuffer response = ByteBuffer.allocateDirect(RESPONSE_BYTES_MAX);
  private int responseBytes;
  private int next;

  /**
   * A client without connections.
   *
   * @param port of a server that listens on all addresses
   */
  Connections(int port, int count) throws IOException {
    for (int i = 0; i < ADDRESSES; i++) {
      InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (i + 1)});
      servers[i] = new InetSocketAddress(address, port);
    }
    open = new SocketChannel[count];
    byte[] bytes = GET.getBytes(StandardCharsets.US_ASCII);
    request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
  }

  /** Opens one connection, and returns its response, which ends as given. */
  String learn(String ending) throws IOException {
    try (SocketChannel channel = SocketChannel.open(servers[0])) {
      channel.write(request.clear());
      String text = "";
      response.clear();
      while (!text.endsWith(ending)) {
        Technique.check(channel.read(response) >= 0, "closed after: " + text);
        text = StandardCharsets.ISO_8859_1.decode(response.duplicate().flip()).toString();
      }
      responseBytes = text.length();
      return text;
    }
  }

  /** Opens all connections. */
  void open() throws IOException {
    for (int i = 0; i < open.length; i++) {
      open[i] = SocketChannel.open(servers[next++ % ADDRESSES]);
      open[i].setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  /** Sends a request on each connection, then reads all responses. */
  int exchange() throws IOException {
    for (SocketChannel channel : open) {
      channel.write(request.clear());
    }
    int bytes = 0;
    for (SocketChannel channel : open) {
      response.clear().limit(responseBytes);
      while (response.hasRemaining()) {
        Technique.check(channel.read(response) >= 0, "closed");
      }
      bytes += response.position();
    }
    return bytes / responseBytes;
  }

  /** Closes all connections. */
  void close() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
  }
}
