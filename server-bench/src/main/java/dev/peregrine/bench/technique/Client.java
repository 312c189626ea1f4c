package dev.peregrine.bench.technique;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Sends the same requests over one connection, and waits for responses of the same length. */
final class Client implements AutoCloseable {
  private static final int RESPONSE_BYTES_MAX = 512 * 1024;

  private final SocketChannel channel;
  private final ByteBuffer request;
  private final ByteBuffer response = ByteBuffer.allocateDirect(RESPONSE_BYTES_MAX);
  private int responseBytes;

  Client(InetSocketAddress server, byte[] bytes) throws IOException {
    channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    request = ByteBuffer.allocateDirect(bytes.length).put(bytes);
  }

  /**
   * Sends all requests, and reads until the responses have arrived.
   *
   * @param ending the end of the last response
   * @return all responses
   */
  String learn(String ending, int responses) throws IOException {
    send();
    response.clear();
    String text = "";
    while (text.split(ending, -1).length <= responses) {
      if (channel.read(response) < 0) {
        throw new IOException("closed after: " + text);
      }
      text = StandardCharsets.ISO_8859_1.decode(response.duplicate().flip()).toString();
    }
    responseBytes = response.position();
    return text;
  }

  /** Sends all requests, and reads as many bytes as {@link #learn} did. */
  int exchange() throws IOException {
    send();
    response.clear().limit(responseBytes);
    while (response.hasRemaining()) {
      if (channel.read(response) < 0) {
        throw new IOException("closed after " + response.position() + " bytes");
      }
    }
    return responseBytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void send() throws IOException {
    request.clear();
    while (request.hasRemaining()) {
      channel.write(request);
    }
  }
}
