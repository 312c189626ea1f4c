package dev.peregrine.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Many idle connections, in a separate process so that client and server don't share one limit of
 * file descriptors: {@code IdleClients port count}. Opens the connections, sends a request on each,
 * and prints their number; repeats the requests for each line of its input. Ends with its input.
 */
final class IdleClients {
  private static final byte[] REQUEST = Requests.get("/idle");
  private static final int RESPONSE_BYTES_MAX = 4096;

  private final List<SocketChannel> channels = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(RESPONSE_BYTES_MAX);

  private IdleClients() {}

  public static void main(String[] arguments) throws IOException {
    InetSocketAddress server =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
    IdleClients clients = new IdleClients();
    clients.open(server, Integer.parseInt(arguments[1]));
    do {
      clients.ask();
      System.out.println(clients.channels.size());
    } while (nextLine());
  }

  private void open(InetSocketAddress server, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      channels.add(SocketChannel.open(server));
    }
  }

  private void ask() throws IOException {
    for (SocketChannel channel : channels) {
      channel.write(ByteBuffer.wrap(REQUEST));
    }
    for (SocketChannel channel : channels) {
      buffer.clear();
      if (channel.read(buffer) < 0) {
        throw new IOException("the server closed an idle connection");
      }
    }
  }

  private static boolean nextLine() throws IOException {
    int c = System.in.read();
    while (c >= 0 && c != '\n') {
      c = System.in.read();
    }
    return c >= 0;
  }
}
