package dev.peregrine.grpc;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.config.EndpointLayer;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.tls.Tls;
import io.grpc.BinaryLog;
import io.grpc.BindableService;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.HandlerRegistry;
import io.grpc.MetricSink;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.ServerTransportFilter;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates an {@code io.grpc.Server} on event loops of its own, for programs that have one.
 *
 * <pre>{@code
 * Server server = PeregrineServerBuilder.forPort(8080).addService(new GreeterService()).build();
 * server.start();
 * }</pre>
 *
 * <p>The server speaks HTTP/2 only. Listeners are called on virtual threads, unless {@link
 * #executor} or {@link #directExecutor} is called. Times of connections are judged about once a
 * second; those of 1,000 days and more are infinite.
 */
public final class PeregrineServerBuilder extends ServerBuilder<PeregrineServerBuilder> {
  private final List<SocketAddress> addresses = new ArrayList<>();
  private final GrpcServices.Builder services = GrpcServices.builder();
  private final List<ServerTransportFilter> filters = new ArrayList<>();
  private final List<Consumer<? super HttpServerBuilder>> changes = new ArrayList<>();
  private final Upkeep upkeep = new Upkeep();
  private ServerLimits limits = ServerLimits.builder().build();
  private @Nullable EndpointLayer security;

  private PeregrineServerBuilder() {}

  /**
   * Creates a builder of a server on all addresses.
   *
   * @param port 0 for one that the system chooses
   */
  public static PeregrineServerBuilder forPort(int port) {
    return forAddress(new InetSocketAddress(port));
  }

  /** Creates a builder of a server on a TCP address or a Unix domain socket. */
  public static PeregrineServerBuilder forAddress(SocketAddress address) {
    return new PeregrineServerBuilder().addListenAddress(address);
  }

  /** Adds an address to listen on. */
  public PeregrineServerBuilder addListenAddress(SocketAddress address) {
    addresses.add(Objects.requireNonNull(address, "address"));
    return this;
  }

  /** Serves TLS on all addresses. */
  public PeregrineServerBuilder useTransportSecurity(Tls tls) {
    security = Objects.requireNonNull(tls, "tls");
    return this;
  }

  @Override
  public PeregrineServerBuilder useTransportSecurity(File certChain, File privateKey) {
    return useTransportSecurity(Tls.of(certChain.toPath(), privateKey.toPath()));
  }

  /**
   * Changes options of the HTTP server before it is built, such as its parts, loops and listeners.
   * Its endpoints, handler and limits are this builder's.
   */
  public PeregrineServerBuilder configure(Consumer<? super HttpServerBuilder> change) {
    changes.add(Objects.requireNonNull(change, "change"));
    return this;
  }

  /** Sets the limits of the HTTP server, in place of those that were set before. */
  public PeregrineServerBuilder limits(ServerLimits values) {
    limits = Objects.requireNonNull(values, "limits");
    return this;
  }

  /** Sets the calls of a connection at a time, 100 by default; clients let further ones wait. */
  public PeregrineServerBuilder maxConcurrentCallsPerConnection(int calls) {
    limits = limits.toBuilder().http2(limits.http2().withStreamsMax(calls)).build();
    return this;
  }

  /** Calls listeners on the event loop of their connection, where they must not block. */
  @Override
  public PeregrineServerBuilder directExecutor() {
    return executor(GrpcServices.ON_LOOP);
  }

  /**
   * Sets what calls the listeners of services without an executor of their own; {@link
   * GrpcServices#VIRTUAL_THREADS} by default, also for null.
   */
  @Override
  public PeregrineServerBuilder executor(@Nullable Executor executor) {
    services.executor(executor == null ? GrpcServices.VIRTUAL_THREADS : executor);
    return this;
  }

  @Override
  public PeregrineServerBuilder callExecutor(ServerCallExecutorSupplier supplier) {
    services.callExecutor(supplier);
    return this;
  }

  @Override
  public PeregrineServerBuilder addService(ServerServiceDefinition service) {
    services.add(service);
    return this;
  }

  @Override
  public PeregrineServerBuilder addService(BindableService service) {
    services.add(service);
    return this;
  }

  /**
   * Adds a service.
   *
   * @param own calls the listeners of this service; may be {@link GrpcServices#ON_LOOP} or {@link
   *     GrpcServices#VIRTUAL_THREADS}
   */
  public PeregrineServerBuilder addService(BindableService service, Executor own) {
    services.add(service, own);
    return this;
  }

  @Override
  public PeregrineServerBuilder intercept(ServerInterceptor interceptor) {
    services.intercept(interceptor);
    return this;
  }

  @Override
  public PeregrineServerBuilder addTransportFilter(ServerTransportFilter filter) {
    filters.add(Objects.requireNonNull(filter, "filter"));
    return this;
  }

  @Override
  public PeregrineServerBuilder addStreamTracerFactory(ServerStreamTracer.Factory factory) {
    services.addStreamTracerFactory(factory);
    return this;
  }

  @Override
  public PeregrineServerBuilder fallbackHandlerRegistry(@Nullable HandlerRegistry registry) {
    services.fallbackHandlerRegistry(registry);
    return this;
  }

  /** Sets a log of messages and metadata. It isn't closed with the server. */
  @Override
  public PeregrineServerBuilder setBinaryLog(@Nullable BinaryLog log) {
    services.binaryLog(log);
    return this;
  }

  @Override
  public PeregrineServerBuilder compressorRegistry(@Nullable CompressorRegistry registry) {
    services.compressorRegistry(registry);
    return this;
  }

  @Override
  public PeregrineServerBuilder decompressorRegistry(@Nullable DecompressorRegistry registry) {
    services.decompressorRegistry(registry);
    return this;
  }

  @Override
  public PeregrineServerBuilder maxInboundMessageSize(int bytes) {
    services.maxInboundMessageSize(bytes);
    return this;
  }

  /**
   * Bounds the memory of messages that clients don't take, see {@link
   * GrpcServices.Builder#maxUnsentBytes}.
   */
  public PeregrineServerBuilder maxUnsentBytes(long ofCall, long ofAllCalls) {
    services.maxUnsentBytes(ofCall, ofAllCalls);
    return this;
  }

  /** Sets the largest head of a request. */
  @Override
  public PeregrineServerBuilder maxInboundMetadataSize(int bytes) {
    ParserLimits heads = limits.parser().toBuilder().headerBytesMax(bytes).build();
    limits = limits.toBuilder().parser(heads).build();
    return this;
  }

  @Override
  public PeregrineServerBuilder handshakeTimeout(long timeout, TimeUnit unit) {
    Duration time = Upkeep.positive("handshakeTimeout", timeout, unit);
    limits = limits.toBuilder().handshakeTime(time).build();
    return this;
  }

  /** Sets how long a connection without a call stays open, 130 seconds by default. */
  @Override
  public PeregrineServerBuilder maxConnectionIdle(long time, TimeUnit unit) {
    Duration idle = Upkeep.positive("maxConnectionIdle", time, unit);
    limits = limits.toBuilder().keepAliveTime(idle).build();
    return this;
  }

  /**
   * Sets the time at which a connection ends in order, up to a tenth sooner or later: its client
   * opens another one for later calls. Infinite by default.
   */
  @Override
  public PeregrineServerBuilder maxConnectionAge(long time, TimeUnit unit) {
    upkeep.maxConnectionAge(time, unit);
    return this;
  }

  /** Sets the time from then on until calls are cut off, infinite by default. */
  @Override
  public PeregrineServerBuilder maxConnectionAgeGrace(long time, TimeUnit unit) {
    upkeep.maxConnectionAgeGrace(time, unit);
    return this;
  }

  /**
   * Sets the silence of a client after which it gets a PING. None is sent by default, for which
   * grpc-java has 2 hours.
   */
  @Override
  public PeregrineServerBuilder keepAliveTime(long time, TimeUnit unit) {
    upkeep.keepAliveTime(time, unit);
    return this;
  }

  /** Sets how long the client may take to answer it, 20 seconds by default; then it is lost. */
  @Override
  public PeregrineServerBuilder keepAliveTimeout(long time, TimeUnit unit) {
    upkeep.keepAliveTimeout(time, unit);
    return this;
  }

  /**
   * Sets the least time between two PINGs of a client, 5 minutes if only {@link
   * #permitKeepAliveWithoutCalls} is called. More of them end its connection with {@code
   * too_many_pings}. If neither is called, a client may send 40 PINGs a second in the long run
   * ({@code Http2Limits.floodPointsMax}).
   */
  @Override
  public PeregrineServerBuilder permitKeepAliveTime(long time, TimeUnit unit) {
    upkeep.permitKeepAliveTime(time, unit);
    return this;
  }

  /** Sets whether that also holds for a client without calls, which else has 2 hours. */
  @Override
  public PeregrineServerBuilder permitKeepAliveWithoutCalls(boolean permitted) {
    upkeep.permitKeepAliveWithoutCalls(permitted);
    return this;
  }

  /**
   * Has no effect, and logs that: grpc-java sends a sink {@code grpc.tcp} metrics of its own
   * transport. {@code ServerMetrics} in {@link #configure} has the metrics of this server.
   */
  @Override
  public PeregrineServerBuilder addMetricSink(MetricSink sink) {
    Objects.requireNonNull(sink, "sink");
    CallLog.sinkIgnored();
    return this;
  }

  @Override
  public Server build() {
    HttpServerBuilder options = HttpServer.builder().with(upkeep.http2());
    for (SocketAddress address : addresses) {
      Endpoint endpoint = endpoint(address).withHttp2Only();
      options.endpoint(security == null ? endpoint : endpoint.with(security));
    }
    if (!filters.isEmpty()) {
      TransportFilters calling = new TransportFilters(filters);
      options.connectionListener(calling).exchangeListener(calling);
    }
    for (Consumer<? super HttpServerBuilder> change : changes) {
      change.accept(options);
    }
    return new PeregrineServer(options.limits(limits), services);
  }

  private static Endpoint endpoint(SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress local) {
      return Endpoint.unix(local.getPath());
    } else if (address instanceof InetSocketAddress tcp) {
      return Endpoint.tcp(tcp.getAddress().getHostAddress(), tcp.getPort());
    }
    throw new IllegalArgumentException(
        "neither a TCP address nor a Unix domain socket: " + address);
  }
}
