package dev.peregrine.server.proxy;

import dev.peregrine.proxy.ProxyInfo;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A valid header of the PROXY protocol.
 *
 * @param remote the client's address; null if the connection's own counts
 * @param local the address that the client connected to; null if the connection's own counts
 */
record ProxyHeader(@Nullable SocketAddress remote, @Nullable SocketAddress local, ProxyInfo info) {
  private static final byte[] NO_VALUES = {};
  private static final ProxyInfo WITHOUT_VALUES = new ProxyInfo(false, NO_VALUES);

  /** The header of a connection that the proxy has opened for itself. */
  static final ProxyHeader LOCAL = new ProxyHeader(null, null, new ProxyInfo(true, NO_VALUES));

  /** The header of a client whose address the proxy can't report. */
  static final ProxyHeader UNKNOWN = new ProxyHeader(null, null, WITHOUT_VALUES);

  /** Returns the header of a client about which only the addresses are known. */
  static ProxyHeader of(SocketAddress remote, SocketAddress local) {
    return new ProxyHeader(remote, local, WITHOUT_VALUES);
  }
}
