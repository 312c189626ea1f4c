package dev.peregrine.bench.technique;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Connections of clients, of which a server finds and reads the readable ones, in its own way. */
abstract class Sockets implements AutoCloseable {
  static final int READ_BYTES = 64; // more than a client sends, so that one read empties a socket

  private static final int VALUES = 101;

  private final List<SocketChannel> clients = new ArrayList<>();
  private final ByteBuffer out = ByteBuffer.allocateDirect(1);
  private int found;
  private long sum;

  /** Returns the address that the server listens on. */
  abstract SocketAddress address() throws IOException;

  /** Accepts a connection that is established. */
  abstract void accept() throws IOException;

  /** Reads the sockets that are readable now, and notes what was read. */
  abstract void readReady() throws IOException;

  /** Closes the server's side. */
  abstract void closeServer() throws IOException;

  /** Opens connections. */
  final void connect(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      SocketChannel client = SocketChannel.open(address());
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      client.setOption(StandardSocketOptions.SO_LINGER, 0); // a reset frees the port at once
      clients.add(client);
      accept();
    }
  }

  /** Sends one byte over a connection. */
  final void send(int client) throws IOException {
    clients.get(client).write(out.clear().put(valueOf(client)).flip());
  }

  /** Returns the byte that a client sends. */
  static byte valueOf(int client) {
    return (byte) (client % VALUES);
  }

  /** Reads until all clients that have sent are found; returns the sum of the bytes. */
  final long readAll(int sent) throws IOException {
    found = 0;
    sum = 0;
    while (found < sent) {
      readReady();
    }
    return sum;
  }

  /** Notes a socket that was read, and the byte that it had. */
  final void note(byte value) {
    found++;
    sum += value;
  }

  @Override
  public final void close() throws IOException {
    for (SocketChannel client : clients) {
      client.close();
    }
    closeServer();
  }
}
