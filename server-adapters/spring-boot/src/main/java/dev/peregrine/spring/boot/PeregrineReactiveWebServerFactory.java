package dev.peregrine.spring.boot;

import dev.peregrine.http.Handler;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.UnixEndpoint;
import dev.peregrine.server.config.EndpointLayer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.server.http2.Http2;
import dev.peregrine.server.jfr.FlightEvents;
import dev.peregrine.server.websocket.WebSocketProtocol;
import dev.peregrine.spring.PeregrineHttpHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.Compression;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.reactive.AbstractReactiveWebServerFactory;
import org.springframework.http.server.reactive.HttpHandler;

/**
 * Creates servers of Peregrine for reactive applications. Not thread-safe.
 *
 * <pre>{@code
 * @Bean
 * WebServerFactoryCustomizer<PeregrineReactiveWebServerFactory> loops() {
 *   return factory -> factory.addServerCustomizers(builder -> builder.loops(4));
 * }
 * }</pre>
 */
public class PeregrineReactiveWebServerFactory extends AbstractReactiveWebServerFactory {
  private static final int HEADER_BYTES_MAX = 8 * 1024;

  /**
   * The limits of a server that sets none. They are those of Spring Boot, which bounds neither the
   * content of requests, nor how slow a client may be, nor the time until a response; the limits
   * that Boot doesn't know are those of {@link ServerLimits#DEFAULT}. A handler is reported after a
   * second only, because the first request of WebFlux takes longer than 100 ms.
   */
  public static final ServerLimits LIMITS_DEFAULT =
      ServerLimits.builder()
          .parser(ParserLimits.builder().headerBytesMax(HEADER_BYTES_MAX).build())
          .bodyBytesMax(Long.MAX_VALUE)
          .requestBytesPerSecondMin(0)
          .responseBytesPerSecondMin(0)
          .responseBeginTime(Duration.ZERO)
          .loopBlockedTime(Duration.ofSeconds(1))
          .build();

  private ServerLimits limits = LIMITS_DEFAULT;
  private int backlog = Endpoint.BACKLOG_DEFAULT;
  private boolean reusePort;
  private @Nullable UnixEndpoint unixEndpoint;
  private Duration lameDuck = Duration.ZERO;
  private final Set<PeregrineServerCustomizer> serverCustomizers = new LinkedHashSet<>();

  /** Creates a factory of servers on port 8080. */
  public PeregrineReactiveWebServerFactory() {}

  /**
   * Creates a factory of servers on a port.
   *
   * @param port 0 takes a free one; with -1 a server doesn't listen on TCP
   */
  public PeregrineReactiveWebServerFactory(int port) {
    super(port);
  }

  /** Returns the limits on clients. */
  public ServerLimits getLimits() {
    return limits;
  }

  /** Sets the limits on clients; {@link #LIMITS_DEFAULT} by default. */
  public void setLimits(ServerLimits limits) {
    this.limits = Objects.requireNonNull(limits);
  }

  /** Sets how many connections the system holds before they are accepted; 1024 by default. */
  public void setBacklog(int backlog) {
    this.backlog = backlog;
  }

  /** Sets whether every loop listens for itself (SO_REUSEPORT); off by default. */
  public void setReusePort(boolean reusePort) {
    this.reusePort = reusePort;
  }

  /**
   * Sets a Unix domain socket to listen on beside the port, or alone with port -1; null, the
   * default, for none. It has the protocol of the port, and TLS if the port has.
   */
  public void setUnixEndpoint(@Nullable UnixEndpoint unixEndpoint) {
    this.unixEndpoint = unixEndpoint;
  }

  /**
   * Sets how long a graceful shutdown still accepts connections, so that a balancer learns first
   * from the application's readiness; zero by default. It is a part of Boot's time for a phase of
   * the shutdown.
   */
  public void setLameDuck(Duration lameDuck) {
    this.lameDuck = Objects.requireNonNull(lameDuck);
  }

  /** Returns what changes the options of each server, in this order; can be changed. */
  public Set<PeregrineServerCustomizer> getServerCustomizers() {
    return serverCustomizers;
  }

  /**
   * Adds what changes the options of each server, once each, after those that were added before.
   */
  public void addServerCustomizers(PeregrineServerCustomizer... added) {
    serverCustomizers.addAll(List.of(added));
  }

  /**
   * Returns a server that isn't started yet.
   *
   * @throws IllegalArgumentException if an option can't be used; the message says why
   */
  @Override
  public WebServer getWebServer(HttpHandler httpHandler) {
    Handler handler = new PeregrineHttpHandlerAdapter(httpHandler);
    Compression compression = getCompression();
    if (compression != null && compression.getEnabled()) {
      handler = CompressedHandler.of(handler, compression);
    }
    return new PeregrineWebServer(
        new ServerRecipe(
            handler,
            endpoints(),
            usesHttp2(),
            serverName(),
            limits,
            List.copyOf(serverCustomizers)),
        getPort(),
        Ssl.isEnabled(getSsl()),
        getShutdown(),
        lameDuck);
  }

  private List<Endpoint> endpoints() {
    EndpointLayer tls =
        Ssl.isEnabled(getSsl())
            ? new BundleTls(getSsl(), getSslBundle(), getServerNameSslBundles(), getSslBundles())
                .layer()
            : null;
    List<Endpoint> endpoints = new ArrayList<>();
    if (getPort() >= 0) {
      endpoints.add(
          complete(
              Endpoint.tcp(host(getAddress()), getPort())
                  .withBacklog(backlog)
                  .withReusePort(reusePort),
              tls));
    }
    UnixEndpoint unix = unixEndpoint;
    if (unix != null) {
      endpoints.add(complete(unix.withBacklog(backlog), tls));
    }
    return endpoints;
  }

  private Endpoint complete(Endpoint endpoint, @Nullable EndpointLayer tls) {
    Endpoint speaking = endpoint.withHttp2(usesHttp2());
    return tls == null ? speaking : speaking.with(tls);
  }

  private boolean usesHttp2() {
    org.springframework.boot.web.server.Http2 http2 = getHttp2();
    return http2 != null && http2.isEnabled();
  }

  /** Returns the value of the Server field, which Boot leaves out by default. */
  private String serverName() {
    String header = getServerHeader();
    return header == null ? "" : header;
  }

  /** Returns the address as text; without one, that of all addresses of this machine. */
  private static String host(@Nullable InetAddress address) {
    return (address == null ? new InetSocketAddress(0).getAddress() : address).getHostAddress();
  }

  /** The options of a server, which each start begins with. */
  record ServerRecipe(
      Handler handler,
      List<Endpoint> endpoints,
      boolean http2,
      String serverName,
      ServerLimits limits,
      List<PeregrineServerCustomizer> customizers) {

    HttpServerBuilder builder() {
      HttpServerBuilder builder =
          HttpServer.builder()
              .with(WebSocketProtocol.create())
              .with(Epoll.create())
              .with(FlightEvents.create())
              .limits(limits)
              .serverName(serverName)
              .handler(handler);
      if (http2) {
        builder.with(Http2.create());
      }
      endpoints.forEach(builder::endpoint);
      return builder;
    }
  }
}
