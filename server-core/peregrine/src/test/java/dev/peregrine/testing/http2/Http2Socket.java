package dev.peregrine.testing.http2;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Arrays;

/**
 * A socket of HTTP/1.1 for a test, by a gateway to a server that is spoken to in HTTP/2. So tests
 * of semantics run with both versions.
 */
public final class Http2Socket extends Socket {
  private static final int PIECE_BYTES = 16 * 1024;

  private final Http2Gateway gateway;
  private final OutputStream output = new Output();

  private Http2Socket(Http2Gateway gateway) {
    this.gateway = gateway;
  }

  /** Connects; a receive buffer of 0 bytes stands for the default. */
  public static Http2Socket connect(InetSocketAddress server, boolean tls, int receiveBufferBytes) {
    try {
      return new Http2Socket(Http2Gateway.connect(server, tls, receiveBufferBytes));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns the connection to the server, to be reset. */
  public Socket network() {
    return gateway.wire.network();
  }

  /** Returns true if the server has reset a stream before the end of its response. */
  public boolean isCut() {
    return gateway.isCut();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return gateway.wire.localAddress();
  }

  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int start, int length) throws IOException {
        return gateway.responses.read(bytes, start, length);
      }

      @Override
      public int available() {
        return gateway.responses.available();
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return output;
  }

  /** Bytes to the server: a write returns when they are sent, as far as that is possible. */
  private final class Output extends OutputStream {
    private long written;

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int start, int length) throws IOException {
      int end = start + length;
      for (int from = start; from < end; from += PIECE_BYTES) {
        int to = Math.min(end, from + PIECE_BYTES);
        gateway.requests.write(Arrays.copyOfRange(bytes, from, to), () -> {});
      }
      written += length;
      gateway.awaitSent(written);
    }
  }

  @Override
  public void shutdownOutput() {
    gateway.end();
  }

  @Override
  public void close() {
    gateway.close();
  }
}
