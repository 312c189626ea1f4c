package dev.peregrine.cli.options;

import dev.peregrine.Peregrine;
import dev.peregrine.cli.options.Addresses.Listened;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.TcpEndpoint;
import dev.peregrine.server.TransportKind;
import dev.peregrine.server.accesslog.AccessLog;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.epoll.Epoll;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.server.proxy.ProxyProtocol;
import dev.peregrine.server.tls.Tls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options that describe a server, checked. */
public final class ServerOptions {
  private static final int LOOPS_MAX = 1024;
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private final @Nullable Tls tls;
  private final List<Listened> listened;
  private final @Nullable ScannerKind scanner;
  private final TransportKind transport;
  private final int loops; // 0 for the default
  private final ServerLimits limits;
  private final Duration lameDuck;
  private final Duration patience;
  private final @Nullable OptionValue accessLog;
  private final @Nullable OptionValue accessLogFormat;
  private final @Nullable HandOver handOver;
  private final @Nullable TrustedPeers trustedProxies;
  private final @Nullable Balancers balancers;
  private final @Nullable Listened metrics;
  private final boolean isNamed;

  private ServerOptions(Settings settings) {
    OptionValue loopsGiven = settings.get(Option.LOOPS);
    loops = loopsGiven == null ? 0 : loopsGiven.number(1, LOOPS_MAX);
    OptionValue patienceGiven = settings.get(Option.PATIENCE);
    patience = patienceGiven == null ? PATIENCE : patienceGiven.time();
    OptionValue lameDuckGiven = settings.get(Option.LAME_DUCK);
    lameDuck = lameDuckGiven == null ? Duration.ZERO : lameDuckGiven.time();
    accessLog = settings.get(Option.ACCESS_LOG);
    accessLogFormat = settings.get(Option.ACCESS_LOG_FORMAT);
    checkAccessLog();
    transport = transport(settings.get(Option.TRANSPORT));
    handOver = handOver(settings.get(Option.HAND_OVER));
    scanner = scanner(settings.get(Option.SCANNER));
    limits =
        settings.limits().isEmpty() ? ServerLimits.DEFAULT : LimitTable.with(settings.limits());
    tls = TlsFiles.of(settings);
    listened = Addresses.of(settings, tls);
    List<OptionValue> proxies = settings.all(Option.TRUSTED_PROXY);
    trustedProxies = proxies.isEmpty() ? null : Peers.of(proxies);
    List<OptionValue> senders = settings.all(Option.PROXY_PROTOCOL);
    balancers = senders.isEmpty() ? null : Balancers.of(senders, listened);
    isNamed = !settings.isOn(Option.NO_SERVER_HEADER);
    metrics = Addresses.ofMetrics(settings.get(Option.METRICS_LISTEN), handOver != null, listened);
  }

  /**
   * Checks the options of a command.
   *
   * @throws IllegalArgumentException if one has a bad value, or they don't fit together; the
   *     message is one sentence
   */
  public static ServerOptions of(Invocation invocation) {
    return new ServerOptions(invocation.settings());
  }

  /**
   * Reads a command line that only has options.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  public static ServerOptions parse(String... args) {
    return of(Invocation.of(Map.of(), args));
  }

  /** Returns a builder for a server with these options, without a handler. */
  public HttpServerBuilder builder() {
    HttpServerBuilder builder = Peregrine.builder().transport(transport).limits(limits);
    for (Listened each : listened) {
      TrustedPeers senders = balancers == null ? null : balancers.at(each);
      Endpoint endpoint = each.endpoint();
      builder.endpoint(senders == null ? endpoint : endpoint.with(ProxyProtocol.from(senders)));
    }
    if (trustedProxies != null) {
      builder.trustedProxies(TrustedProxies.xForwardedFor(trustedProxies).withXForwardedProto());
    }
    if (!isNamed) {
      builder.serverName("");
    }
    if (loops > 0) {
      builder.loops(loops);
    }
    if (scanner != null) {
      builder.scanner(scanner);
    }
    return builder;
  }

  /** Returns where the metrics are served; null if they aren't. */
  public @Nullable Endpoint metrics() {
    return metrics == null ? null : metrics.endpoint();
  }

  /**
   * Checks that each host to listen on has an address, as a start does when it opens them.
   *
   * @throws IllegalArgumentException if one has none
   */
  public void checkHosts() {
    listened.forEach(Listened::checkHost);
    if (metrics != null) {
      metrics.checkHost();
    }
  }

  /** Returns true if the server speaks TLS at the address with that index. */
  public boolean isSecure(int index) {
    return listened.get(index).isSecure();
  }

  /**
   * Returns the first address at which other machines reach the server without TLS; null if there
   * is none, or a trusted proxy speaks TLS for the server.
   */
  public @Nullable String plainAddress() {
    for (Listened each : listened) {
      if (!each.isSecure()
          && trustedProxies == null
          && each.endpoint() instanceof TcpEndpoint tcp
          && !isLoopback(new InetSocketAddress(tcp.host(), 0))) {
        return tcp.host() + ":" + tcp.port();
      }
    }
    return null;
  }

  /** Returns true for an address of this machine only; false for a name without an address. */
  private static boolean isLoopback(InetSocketAddress address) {
    return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
  }

  /** Returns the certificates; null if the server doesn't speak TLS. */
  public @Nullable Tls tls() {
    return tls;
  }

  /** Returns true if the options name a transport. */
  public boolean choosesTransport() {
    return transport != TransportKind.AUTO;
  }

  /** Returns true if the options name a scanner. */
  public boolean choosesScanner() {
    return scanner != null;
  }

  private void checkAccessLog() {
    if (accessLogFormat != null) {
      AccessLog.Format ignored = accessLogFormat.choice(AccessLog.Format.class);
    }
    if (accessLog != null) {
      Directories.checkIsWritable(accessLog);
    } else if (accessLogFormat != null) {
      throw new IllegalArgumentException(
          accessLogFormat.origin()
              + " needs "
              + Option.ACCESS_LOG.flag()
              + ", the file to write to");
    }
  }

  /**
   * Opens the access log.
   *
   * @return null if the options name none
   * @throws java.io.UncheckedIOException if it can't be opened
   */
  public @Nullable AccessLog openAccessLog() {
    if (accessLog == null) {
      return null;
    }
    AccessLog.Builder builder = AccessLog.builder(accessLog.path());
    if (accessLogFormat != null) {
      builder.format(accessLogFormat.choice(AccessLog.Format.class));
    }
    return builder.build();
  }

  /** Returns how the listening sockets are handed over; null if the options don't say. */
  public @Nullable HandOver handOver() {
    return handOver;
  }

  /** Returns how long connections are accepted after the server is stopped. */
  public Duration lameDuck() {
    return lameDuck;
  }

  /** Returns how long requests under way may take when the server is stopped. */
  public Duration patience() {
    return patience;
  }

  private @Nullable HandOver handOver(@Nullable OptionValue setting) {
    if (setting == null) {
      return null;
    }
    String problem =
        transport == TransportKind.NIO
            ? "the transport is nio"
            : transport == TransportKind.AUTO ? Epoll.problem() : null;
    if (problem != null) {
      throw new IllegalArgumentException(
          setting.origin() + " needs the epoll transport, but " + problem);
    }
    return HandOver.at(Listening.socketFile(setting, setting.value(), "a path"))
        .withPatience(patience);
  }

  private static TransportKind transport(@Nullable OptionValue setting) {
    if (setting == null) {
      return TransportKind.AUTO;
    }
    TransportKind kind = setting.choice(TransportKind.class);
    check(setting, kind == TransportKind.EPOLL ? Epoll.problem() : null);
    return kind;
  }

  private static @Nullable ScannerKind scanner(@Nullable OptionValue setting) {
    if (setting == null) {
      return null;
    }
    ScannerKind kind = setting.choice(ScannerKind.class);
    check(setting, kind == ScannerKind.VECTOR ? ScannerKind.vectorProblem() : null);
    return kind;
  }

  private static void check(OptionValue setting, @Nullable String problem) {
    if (problem != null) {
      throw new IllegalArgumentException(
          setting.origin() + " " + setting.value() + " doesn't work here: " + problem);
    }
  }
}
