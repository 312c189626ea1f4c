package dev.peregrine.server.observe;

import java.net.SocketAddress;

/**
 * The facts of a connection. One object represents a connection from {@link
 * ConnectionListener#onOpen} to {@link ConnectionListener#onClose}. It is read on the connection's
 * event loop, during calls of a listener.
 */
public interface ConnectionInfo {
  /**
   * Returns the event loop of the connection, which never changes: the same object for all
   * connections of the loop. One thread at a time runs it, not always the same.
   */
  LoopInfo loop();

  /**
   * Returns the client's address. With the PROXY protocol it is that of the header, once that has
   * arrived: in {@link ConnectionListener#onOpen} it is still that of the proxy.
   */
  SocketAddress remoteAddress();

  /**
   * Copies the client's IP address as text, as far as it fits: {@code 192.0.2.1}, or {@code
   * 2001:db8::1} (RFC 5952). For a client on a Unix domain socket it is {@code unix:}. The text is
   * created once per connection, and has at most 39 bytes.
   *
   * @return the number of bytes copied
   */
  int copyRemoteAddress(byte[] into, int at);

  /** Returns the address that the client connected to, as the PROXY protocol reports it. */
  SocketAddress localAddress();

  /** Returns the address of the connection's other end: the client, or a proxy in front of it. */
  SocketAddress peerAddress();

  /** Returns the {@link System#nanoTime} at which the connection was opened. */
  long openedNanos();

  /** Returns the number of requests that have begun. */
  long requests();

  /** Returns the number of bytes that were received, of heads and framing too. */
  long bytesReceived();

  /** Returns the number of bytes that the system has taken to be sent, of heads and framing too. */
  long bytesSent();
}
