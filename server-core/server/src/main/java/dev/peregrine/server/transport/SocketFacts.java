package dev.peregrine.server.transport;

import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.jspecify.annotations.Nullable;

/** The facts of a connected socket and of the layers around it, for those who don't use it. */
public interface SocketFacts {
  /** The address of every client of a Unix domain socket. */
  SocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  /** Returns the address; on the loop's thread, or after {@link #keepAddresses} on any. */
  SocketAddress localAddress() throws IOException;

  /** Returns the address; on the loop's thread, or after {@link #keepAddresses} on any. */
  SocketAddress remoteAddress() throws IOException;

  /**
   * Returns the address of the other end: the client, or the proxy that has reported a client's
   * address. On the loop's thread, or after {@link #keepAddresses} on any.
   */
  default SocketAddress peerAddress() throws IOException {
    return remoteAddress();
  }

  /**
   * Returns the facts that a proxy has reported by the PROXY protocol, or null. On the loop's
   * thread, or after {@link #keepAddresses} on any.
   */
  default @Nullable ProxyInfo proxy() {
    return null;
  }

  /**
   * Makes the addresses known to any thread from now on, even after the close. By default they are.
   */
  default void keepAddresses() {}

  /**
   * Returns the result of the TLS handshake, or null on plain text. On the loop's thread, or after
   * {@link #keepAddresses} on any.
   */
  default @Nullable TlsInfo tls() {
    return null;
  }

  /**
   * Returns true if the client's connection is secured: by TLS, here or in front of a proxy that is
   * trusted. On the loop's thread, or after {@link #keepAddresses} on any.
   */
  default boolean isSecure() {
    return tls() != null;
  }

  /** Returns true if {@link #servesHost} depends on the host. */
  default boolean restrictsHosts() {
    return false;
  }

  /**
   * Returns true if requests for a host may be sent on this connection: by default all. Only on the
   * loop's thread.
   *
   * @param host a name in lower case; null for none
   */
  default boolean servesHost(@Nullable String host) {
    return true;
  }

  /**
   * Returns true if a client has begun a handshake that isn't complete, so that no content can be
   * received yet.
   */
  default boolean isOpening() {
    return false;
  }
}
