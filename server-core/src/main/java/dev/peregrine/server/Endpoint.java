package dev.peregrine.server;

import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.EndpointStack;
import dev.peregrine.server.accept.HttpChoice;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.ProtocolChoice;
import dev.peregrine.server.accept.TcpSource;
import dev.peregrine.server.accept.UnixSource;
import dev.peregrine.server.features.Features;
import dev.peregrine.server.layer.SocketLayer;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A place where a server listens, with the layers in front of the protocol and the protocol itself;
 * see {@link HttpServerBuilder#endpoint}. Immutable.
 *
 * <pre>{@code
 * HttpServer.builder()
 *     .endpoint(Endpoint.tcp("0.0.0.0", 8080))
 *     .endpoint(Endpoint.unix(Path.of("/run/shop/http.sock")).withPermissions("rw-rw----"))
 * }</pre>
 */
public abstract sealed class Endpoint permits TcpEndpoint, UnixEndpoint, InheritedEndpoint {
  /** Connections that the system holds by default before they are accepted. */
  public static final int BACKLOG_DEFAULT = EndpointOptions.BACKLOG_DEFAULT;

  Endpoint() {}

  /** Returns where its listening sockets come from, with its options. */
  abstract ListenerSource source();

  final EndpointOptions options() {
    return source().options();
  }

  /**
   * Returns an endpoint for a TCP port.
   *
   * @param host name or address of this machine; {@code 0.0.0.0} or {@code ::} for all of them
   * @param port 0 to 65535; 0 takes a free one
   */
  public static TcpEndpoint tcp(String host, int port) {
    return new TcpEndpoint(new TcpSource(host, port, false, EndpointOptions.DEFAULT));
  }

  /** Returns an endpoint for a Unix domain socket that only this process's user can connect to. */
  public static UnixEndpoint unix(Path path) {
    return new UnixEndpoint(new UnixSource(path, "rw-------", EndpointOptions.DEFAULT));
  }

  /**
   * Returns an endpoint for a listening socket that this process has inherited, by its descriptor.
   * Needs the epoll transport.
   *
   * @param number at least 0
   */
  public static InheritedEndpoint descriptor(int number) {
    return new InheritedEndpoint(Features.descriptor(number));
  }

  /**
   * Returns an endpoint for all listening sockets that systemd has started this process with
   * (socket activation, {@code LISTEN_FDS}), in their order. Needs the epoll transport.
   */
  public static InheritedEndpoint activated() {
    return new InheritedEndpoint(Features.activated(null));
  }

  /**
   * Returns an endpoint for those listening sockets of systemd that have a name. Needs the epoll
   * transport.
   *
   * @param name {@code FileDescriptorName=} of the socket unit, or {@code FDNAME=} of the
   *     descriptor store
   */
  public static InheritedEndpoint activated(String name) {
    return new InheritedEndpoint(Features.activated(Objects.requireNonNull(name)));
  }

  /** Returns the number of connections that the system holds before they are accepted. */
  public final int backlog() {
    return options().backlog();
  }

  /** Returns this endpoint with another backlog, at least 1; 1024 by default. */
  public abstract Endpoint withBacklog(int count);

  /** Returns the limit of open connections of this endpoint; 0 for none. */
  public final int connectionsMax() {
    return options().connectionsMax();
  }

  /**
   * Returns this endpoint with a limit of its open connections; 0, the default, for none. One more
   * gets 503 and is closed. The limit of the server ({@code ServerLimits.connectionsMax}) counts
   * the connections of all endpoints. Together they keep some of them for an endpoint that must
   * stay reachable, such as one for health checks.
   */
  public abstract Endpoint withConnectionsMax(int count);

  /**
   * Returns this endpoint with or without HTTP/2; with it by default. Over TLS, ALPN offers it
   * then, unless {@link Tls.Builder#http2} has turned it off. On plain text, a client may begin
   * with it (RFC 9113 section 3.3). Without it, ALPN offers only HTTP/1, and a client that begins
   * with it on plain text gets GOAWAY with HTTP_1_1_REQUIRED.
   */
  public abstract Endpoint withHttp2(boolean on);

  /**
   * Returns this endpoint for clients of HTTP/2 alone, for services such as those of gRPC. Over
   * TLS, ALPN offers nothing else, so a client that offers only HTTP/1 fails in the handshake. A
   * request of HTTP/1 on plain text, or without ALPN, gets 400. With TLS that {@link
   * Tls.Builder#http2} has turned HTTP/2 off for, the server doesn't start.
   */
  public abstract Endpoint withHttp2Only();

  /** Returns this endpoint with TLS in front of HTTP. */
  public abstract Endpoint withTls(Tls tls);

  /**
   * Returns this endpoint with the PROXY protocol (HAProxy's specification, versions 1 and 2) in
   * front of everything else. Each connection must begin with a header, by which a proxy reports
   * the client's address: {@code Request.remoteAddress} and {@code localAddress} return those of
   * the header, {@code peerAddress} that of the proxy, and {@code proxy} its further facts. A
   * connection without a valid header is closed.
   *
   * @param peers the proxies that may connect; every other peer's connection is closed
   */
  public abstract Endpoint withProxyProtocol(TrustedPeers peers);

  abstract Endpoint with(EndpointOptions other);

  /** Returns this endpoint with one more layer, next to the protocol. */
  final Endpoint behind(SocketLayer layer) {
    return with(withStack(options().stack().behind(layer)));
  }

  /** Returns the options with TLS next to the protocol, in place of TLS that was there. */
  final EndpointOptions optionsBehind(Tls tls) {
    SocketLayer layer = tls.layer();
    return withStack(options().stack().withoutLike(layer).behind(layer));
  }

  /** Returns the options with the PROXY protocol next to the network. */
  final EndpointOptions optionsBehind(TrustedPeers peers) {
    SocketLayer layer = Features.proxyProtocol(peers);
    return withStack(options().stack().withoutLike(layer).before(layer));
  }

  /** Returns the options with or without HTTP/2. */
  final EndpointOptions optionsWithHttp2(boolean on) {
    return optionsSpeaking(on ? HttpChoice.ALL : HttpChoice.HTTP_1);
  }

  /** Returns the options with another protocol. */
  final EndpointOptions optionsSpeaking(ProtocolChoice choice) {
    return withStack(options().stack().speaking(choice));
  }

  private EndpointOptions withStack(EndpointStack other) {
    return options().withStack(other);
  }

  /** Returns this endpoint with another protocol than HTTP. */
  final Endpoint speaking(ProtocolChoice protocol) {
    return with(optionsSpeaking(protocol));
  }

  @Override
  public final String toString() {
    return source().toString();
  }
}
