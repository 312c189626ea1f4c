package dev.peregrine.server.exchange;

import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.tls.TlsInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The facts of its connection that a request shows. They are read in the server's code, because the
 * connection belongs to the loop's thread; on any thread if the exchange is async.
 */
final class ConnectionFacts {
  private ConnectionFacts() {}

  /** Reads one fact. */
  private interface Reader<T> {
    T read(Exchange exchange) throws IOException;
  }

  private static <T extends @Nullable Object> T read(Exchange exchange, Reader<T> reader) {
    int entered = exchange.enterTurn();
    try {
      return reader.read(exchange);
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    } finally {
      exchange.exitTurn(entered);
    }
  }

  static boolean isSecure(Exchange exchange) {
    return read(exchange, of -> of.connection().facts().isSecure());
  }

  static @Nullable TlsInfo tls(Exchange exchange) {
    return ConnectionFacts.<@Nullable TlsInfo>read(exchange, of -> of.connection().facts().tls());
  }

  static @Nullable ProxyInfo proxy(Exchange exchange) {
    return ConnectionFacts.<@Nullable ProxyInfo>read(exchange, e -> e.connection().facts().proxy());
  }

  static SocketAddress remoteAddress(Exchange exchange) {
    return read(exchange, of -> of.connection().facts().remoteAddress());
  }

  static SocketAddress peerAddress(Exchange exchange) {
    return read(exchange, of -> of.connection().facts().peerAddress());
  }

  static SocketAddress localAddress(Exchange exchange) {
    return read(exchange, of -> of.connection().facts().localAddress());
  }

  static ForwardedClient forwarded(Exchange exchange, TrustedProxies trusted) {
    return read(exchange, of -> ForwardedClient.read(trusted, of.request, of.connection()));
  }
}
