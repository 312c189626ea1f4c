package dev.peregrine.testing;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A socket for TLS clients that changes their output: it ends after a number of bytes, or splits
 * the first record.
 */
public final class HandshakeSocket extends Socket {
  /** The end of the connection after the last byte. */
  public enum End {
    CLOSE,
    HALF_CLOSE,
    RESET
  }

  private static final int HEADER_BYTES = 5;
  private static final int READ_TIMEOUT_MILLIS = 120_000;

  private final int bytesMax;
  private final End end;
  private final int fragmentBytes;
  private int sent;
  private boolean split;

  private HandshakeSocket(int bytesMax, End end, int fragmentBytes) {
    this.bytesMax = bytesMax;
    this.end = end;
    this.fragmentBytes = fragmentBytes;
  }

  /** Returns a connected socket that ends after a number of bytes. */
  public static HandshakeSocket cutAfter(InetSocketAddress server, int bytes, End end)
      throws IOException {
    return new HandshakeSocket(bytes, end, 0).connected(server);
  }

  /** Returns a connected socket that sends the content of the first record in pieces. */
  public static HandshakeSocket splitting(InetSocketAddress server, int fragmentBytes)
      throws IOException {
    return new HandshakeSocket(Integer.MAX_VALUE, End.CLOSE, fragmentBytes).connected(server);
  }

  private HandshakeSocket connected(InetSocketAddress server) throws IOException {
    setSoTimeout(READ_TIMEOUT_MILLIS);
    setTcpNoDelay(true);
    connect(server);
    return this;
  }

  /** Returns true if it has ended by itself. */
  public boolean isCut() {
    return sent >= bytesMax;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    return super.getInputStream();
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        if (fragmentBytes > 0 && !split) {
          split = true;
          out.write(fragments(bytes, from, length));
          return;
        }
        int count = Math.min(length, bytesMax - sent);
        out.write(bytes, from, count);
        sent += count;
        if (isCut()) {
          cut();
        }
      }
    };
  }

  private byte[] fragments(byte[] bytes, int from, int length) {
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    for (int at = from + HEADER_BYTES; at < from + length; at += fragmentBytes) {
      int count = Math.min(fragmentBytes, from + length - at);
      records.write(bytes, from, HEADER_BYTES - 2);
      records.write(count >> 8);
      records.write(count);
      records.write(bytes, at, count);
    }
    return records.toByteArray();
  }

  private void cut() throws IOException {
    switch (end) {
      case CLOSE -> close();
      case HALF_CLOSE -> shutdownOutput();
      case RESET -> {
        setSoLinger(true, 0);
        close();
      }
    }
  }
}
