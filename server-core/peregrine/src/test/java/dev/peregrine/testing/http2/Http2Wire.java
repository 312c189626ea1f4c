package dev.peregrine.testing.http2;

import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Requests;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Frames over a socket, with TLS or without. One thread may write while another reads. */
final class Http2Wire implements AutoCloseable {
  static final byte[] PREFACE = Requests.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  private static final int READ_TIMEOUT_MILLIS = 120_000;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Socket socket;
  private final Socket network; // under TLS, or the same one
  private final DataInputStream in;

  private Http2Wire(Socket socket, Socket network) throws IOException {
    this.socket = socket;
    this.network = network;
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES));
  }

  /** Connects; a receive buffer of 0 bytes stands for the default. */
  static Http2Wire connect(InetSocketAddress address, boolean tls, int receiveBufferBytes) {
    Socket network = new Socket();
    try {
      if (receiveBufferBytes > 0) {
        network.setReceiveBufferSize(receiveBufferBytes);
      }
      network.setTcpNoDelay(true);
      network.setSoTimeout(READ_TIMEOUT_MILLIS);
      network.connect(address);
      return new Http2Wire(tls ? secure(network, address.getPort()) : network, network);
    } catch (IOException failure) {
      try {
        network.close();
      } catch (IOException alsoFailed) {
        failure.addSuppressed(alsoFailed);
      }
      throw new UncheckedIOException(failure);
    }
  }

  private static Socket secure(Socket network, int port) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            Certificates.client().getSocketFactory().createSocket(network, "localhost", port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    if (!socket.getApplicationProtocol().equals("h2")) {
      throw new AssertionError("ALPN selected " + socket.getApplicationProtocol());
    }
    return socket;
  }

  Socket network() {
    return network;
  }

  SocketAddress localAddress() {
    return network.getLocalSocketAddress();
  }

  void write(byte[] bytes) throws IOException {
    synchronized (network) {
      socket.getOutputStream().write(bytes);
    }
  }

  /** Returns the next frame, or null at the end of the stream. */
  @Nullable Http2Frame read() throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int length = first << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int stream = in.readInt();
    byte[] payload = new byte[length];
    in.readFully(payload);
    Http2Frame frame = new Http2Frame(type, flags, stream, payload);
    if (stream < 0 || frame.hasUndefinedFlags()) {
      throw new AssertionError("bits without a meaning are set: " + frame);
    }
    return frame;
  }

  /** Returns the whole field block that a HEADERS frame begins. */
  byte[] readBlock(Http2Frame first) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(first.content());
    Http2Frame part = first;
    while (!part.has(Http2Frame.END_HEADERS)) {
      part = read();
      if (part == null || !part.is(Http2Frame.CONTINUATION) || part.stream() != first.stream()) {
        throw new AssertionError(first + " is followed by " + part);
      }
      block.writeBytes(part.payload());
    }
    return block.toByteArray();
  }

  /** Returns the bytes up to the end of the stream. */
  byte[] readToEnd() throws IOException {
    return in.readAllBytes();
  }

  /** Returns the given number of bytes. */
  byte[] readBytes(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the stream ended after " + bytes.length + " bytes");
    }
    return bytes;
  }

  /** Returns true if bytes have arrived that aren't read yet. */
  boolean hasMore() throws IOException {
    return in.available() > 0;
  }

  void halfClose() throws IOException {
    socket.shutdownOutput();
  }

  /** Closes so that the server sees a reset. */
  void reset() throws IOException {
    network.setSoLinger(true, 0);
    network.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
