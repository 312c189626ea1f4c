package dev.peregrine.server.exchange.view;

import dev.peregrine.http.Request;
import dev.peregrine.proxy.ProxyInfo;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.exchange.run.ExchangeTurns;
import dev.peregrine.server.exchange.state.ExchangeState;
import dev.peregrine.server.exchange.text.ForwardedClient;
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
    T read(Connection connection) throws IOException;
  }

  private static <T extends @Nullable Object> T read(
      ExchangeState exchange, ExchangeTurns turns, Reader<T> reader) {
    int entered = turns.enter();
    try {
      return reader.read(exchange.connection());
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    } finally {
      turns.exit(entered);
    }
  }

  static boolean isSecure(ExchangeState exchange, ExchangeTurns turns) {
    return read(exchange, turns, of -> of.facts().isSecure());
  }

  static @Nullable TlsInfo tls(ExchangeState exchange, ExchangeTurns turns) {
    return ConnectionFacts.<@Nullable TlsInfo>read(exchange, turns, of -> of.facts().tls());
  }

  static @Nullable ProxyInfo proxy(ExchangeState exchange, ExchangeTurns turns) {
    return ConnectionFacts.<@Nullable ProxyInfo>read(exchange, turns, of -> of.facts().proxy());
  }

  static SocketAddress remoteAddress(ExchangeState exchange, ExchangeTurns turns) {
    return read(exchange, turns, of -> of.facts().remoteAddress());
  }

  static SocketAddress peerAddress(ExchangeState exchange, ExchangeTurns turns) {
    return read(exchange, turns, of -> of.facts().peerAddress());
  }

  static SocketAddress localAddress(ExchangeState exchange, ExchangeTurns turns) {
    return read(exchange, turns, of -> of.facts().localAddress());
  }

  static ForwardedClient forwarded(
      ExchangeState exchange, ExchangeTurns turns, TrustedProxies trusted, Request request) {
    return read(exchange, turns, of -> ForwardedClient.read(trusted, request, of));
  }
}
