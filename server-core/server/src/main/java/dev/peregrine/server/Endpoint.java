package dev.peregrine.server;

import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.EndpointStack;
import dev.peregrine.server.accept.HttpChoice;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.ProtocolChoice;
import dev.peregrine.server.accept.TcpSource;
import dev.peregrine.server.accept.UnixSource;
import dev.peregrine.server.config.EndpointLayer;
import dev.peregrine.server.config.EndpointSource;
import dev.peregrine.server.layer.LayerHandle;
import dev.peregrine.server.layer.SocketLayer;
import java.nio.file.Path;

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
   * Returns an endpoint for listening sockets that this process was started with.
   *
   * @param inherited {@code InheritedSockets.activated()}, or another source of that class
   */
  public static InheritedEndpoint of(EndpointSource inherited) {
    if (inherited instanceof ListenerSource source) {
      return new InheritedEndpoint(source);
    }
    throw new IllegalArgumentException("not a source of Peregrine: " + inherited);
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
   * Returns this endpoint with or without HTTP/2; with it by default, if the server is built with
   * {@code Http2.create()}. Over TLS, ALPN offers it then, unless {@code Tls.Builder.http2} has
   * turned it off. On plain text, a client may begin with it (RFC 9113 section 3.3). Without it,
   * ALPN offers only HTTP/1, and a client that begins with it on plain text gets GOAWAY with
   * HTTP_1_1_REQUIRED.
   */
  public abstract Endpoint withHttp2(boolean on);

  /**
   * Returns this endpoint for clients of HTTP/2 alone, for services such as those of gRPC. Over
   * TLS, ALPN offers nothing else, so a client that offers only HTTP/1 fails in the handshake. A
   * request of HTTP/1 on plain text, or without ALPN, gets 400. With TLS that {@code
   * Tls.Builder.http2} has turned HTTP/2 off for, or in a server without {@code Http2.create()},
   * the server doesn't start.
   */
  public abstract Endpoint withHttp2Only();

  /**
   * Returns this endpoint with a layer in front of HTTP, in place of another one of its kind:
   * {@code Tls}, or the PROXY protocol ({@code ProxyProtocol.from}), which comes before everything
   * else.
   */
  public abstract Endpoint with(EndpointLayer layer);

  abstract Endpoint with(EndpointOptions other);

  /** Returns this endpoint with one more layer, next to the protocol. */
  final Endpoint behind(SocketLayer layer) {
    return with(withStack(options().stack().behind(layer)));
  }

  /** Returns the options with a layer at its place, instead of one of its kind. */
  final EndpointOptions optionsBehind(EndpointLayer added) {
    SocketLayer layer = LayerHandle.of(added);
    EndpointStack others = options().stack().withoutLike(layer);
    return withStack(layer.isFirst() ? others.before(layer) : others.behind(layer));
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
