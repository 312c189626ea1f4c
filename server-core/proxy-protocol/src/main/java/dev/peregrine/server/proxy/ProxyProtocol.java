package dev.peregrine.server.proxy;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.config.EndpointLayer;

/**
 * The PROXY protocol (HAProxy's specification, versions 1 and 2), in front of everything else that
 * an endpoint speaks. Each connection must begin with a header, by which a proxy reports the
 * client's address: {@code Request.remoteAddress} and {@code localAddress} return those of the
 * header, {@code peerAddress} that of the proxy, and {@code proxy} its further facts. A connection
 * without a valid header is closed.
 *
 * <pre>{@code
 * Endpoint.tcp("0.0.0.0", 8080).with(ProxyProtocol.from(TrustedPeers.of("10.0.0.0/8")))
 * }</pre>
 */
public final class ProxyProtocol {
  private ProxyProtocol() {}

  /**
   * Returns the layer for an endpoint.
   *
   * @param peers the proxies that may connect; every other peer's connection is closed
   */
  public static EndpointLayer from(TrustedPeers peers) {
    return new ProxyLayer(peers);
  }
}
