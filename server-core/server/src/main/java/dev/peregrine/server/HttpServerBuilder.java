package dev.peregrine.server;

import dev.peregrine.base.Range;
import dev.peregrine.base.TimeText;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.FieldSyntax;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.config.EndpointLayer;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.config.ServerPart;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.ServerListener;
import dev.peregrine.server.start.Bootstrap;
import dev.peregrine.server.start.Feature;
import dev.peregrine.server.start.ServerSettings;
import dev.peregrine.server.start.SettingsHandle;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options for a server. A value out of its range throws {@link IllegalArgumentException}, which
 * names the option. Not thread-safe.
 */
@SuppressWarnings("exports") // what the artifacts of Peregrine see of it
public final class HttpServerBuilder extends SettingsHandle {
  private static final int LOOPS_MAX = 1024;

  private final ServerSettings.Builder options = new ServerSettings.Builder();
  private TcpEndpoint only = Endpoint.tcp("127.0.0.1", 0); // unless there are endpoints
  private final List<String> ofOnly = new ArrayList<>(1); // the options of it that were set
  private final List<Endpoint> endpoints = new ArrayList<>();
  private @Nullable BiConsumer<? super HttpServer, ? super Throwable> onFatal;
  private @Nullable Health health;

  HttpServerBuilder() {}

  /**
   * Sets the name that the server's threads begin with, in thread dumps and in the log: {@code
   * NAME-loop-0}, {@code NAME-watchdog}. Up to 64 visible ASCII characters. By default {@code
   * peregrine-1} for the first server of the process, {@code peregrine-2} for the next.
   */
  public HttpServerBuilder name(String prefix) {
    if (!Pattern.matches("[\\x21-\\x7E]{1,64}", prefix)) {
      throw new IllegalArgumentException("name is not 1 to 64 visible ASCII characters");
    }
    options.name = prefix;
    return this;
  }

  /**
   * Sets the address to listen on; {@code 127.0.0.1} by default, so that a server is reachable from
   * the network only if the program asks for that. {@code 0.0.0.0} or {@code ::} listens on all
   * addresses.
   */
  public HttpServerBuilder host(String name) {
    return only("host", only.withHost(name));
  }

  /** Sets the port to listen on, 0 to 65535; 0, the default, takes a free one. */
  public HttpServerBuilder port(int number) {
    return only("port", only.withPort(number));
  }

  /**
   * Sets whether the event loops are daemon threads, which don't keep the program running. By
   * default they are not.
   */
  public HttpServerBuilder daemon(boolean on) {
    options.daemon = on;
    return this;
  }

  /** Sets the number of event loops, 1 to 1024; one per available processor by default. */
  public HttpServerBuilder loops(int count) {
    options.loops = Range.check("loops", count, 1, LOOPS_MAX);
    return this;
  }

  /** Sets how many connections the system holds before they are accepted; 1024 by default. */
  public HttpServerBuilder backlog(int count) {
    return only("backlog", only.withBacklog(count));
  }

  /**
   * Sets whether every loop listens for itself (SO_REUSEPORT, where the platform has it), instead
   * of one loop that accepts for all. Off by default: with it, another process of the same user can
   * listen on the same port unnoticed.
   */
  public HttpServerBuilder reusePort(boolean on) {
    return only("reusePort", only.withReusePort(on));
  }

  /** Has the server speak HTTPS instead of HTTP, by a {@code Tls}; see {@link Endpoint#with}. */
  public HttpServerBuilder with(EndpointLayer layer) {
    return only("a layer", only.with(layer));
  }

  /**
   * Builds the server with a part that has an artifact of its own, in place of an earlier one of
   * its class: {@code Http2}, {@code WebSocketProtocol}, {@code Epoll}, {@code HandOver}, {@code
   * FlightEvents}. {@code Peregrine.builder()} has all of them but the hand-over.
   */
  public HttpServerBuilder with(ServerPart part) {
    if (!(part instanceof Feature feature)) {
      throw new IllegalArgumentException("not a part of Peregrine: " + part);
    }
    options.add(feature);
    return this;
  }

  private HttpServerBuilder only(String option, TcpEndpoint endpoint) {
    only = endpoint;
    if (!ofOnly.contains(option)) {
      ofOnly.add(option);
    }
    return this;
  }

  /**
   * Adds an endpoint to listen on. A server with endpoints listens only on these, in place of
   * {@link #host}, {@link #port}, {@link #backlog}, {@link #reusePort} and layers, which are the
   * short form for one TCP port.
   */
  public HttpServerBuilder endpoint(Endpoint added) {
    endpoints.add(Objects.requireNonNull(added));
    return this;
  }

  /** Sets how socket I/O is done; by default the fastest way that works here. */
  public HttpServerBuilder transport(TransportKind kind) {
    options.onlyNio = Objects.requireNonNull(kind) == TransportKind.NIO;
    options.onlyNative = kind == TransportKind.EPOLL;
    return this;
  }

  /** Sets how request heads are scanned; by default the fastest way that works here. */
  public HttpServerBuilder scanner(ScannerKind kind) {
    options.scanner = Objects.requireNonNull(kind);
    return this;
  }

  /**
   * Accepts the given violations, which are rejected by default. Some clients are known to commit
   * them, but each weakens a defence: see {@link Leniency}.
   */
  public HttpServerBuilder lenient(Leniency... violations) {
    options.leniencies.addAll(List.of(violations));
    return this;
  }

  /** Sets the value of the Server field; {@code Peregrine} by default, empty for none. */
  public HttpServerBuilder serverName(String name) {
    if (!FieldSyntax.isFieldValue(name)) {
      throw new IllegalArgumentException("serverName is not a field value");
    }
    options.serverName = name;
    return this;
  }

  /** Sets the limits on clients; {@link ServerLimits#DEFAULT} by default. */
  public HttpServerBuilder limits(ServerLimits values) {
    options.limits = Objects.requireNonNull(values);
    return this;
  }

  /**
   * Sets the source of the memory for buffers; by default the server's own, which {@code
   * -XX:MaxDirectMemorySize} limits. The source has its own limit. It can serve several servers,
   * and must work until they have ended.
   */
  public HttpServerBuilder memory(MemorySource source) {
    options.memory = Objects.requireNonNull(source);
    return this;
  }

  /** Sets the codec that writes and reads JSON; none by default. */
  public HttpServerBuilder json(JsonCodec codec) {
    options.json = Objects.requireNonNull(codec);
    return this;
  }

  /**
   * Sets the hook that is called when an event loop can't do its work any more: its listening
   * socket is lost, or waiting for sockets or accepting has failed every time for 30 seconds. A
   * temporary failure, such as a full heap, doesn't count: the loops log it and continue.
   *
   * <p>By default, and if this throws, the server logs the cause and closes, so that its port
   * refuses connections. A program that only serves HTTP can exit instead, so that a supervisor
   * restarts it:
   *
   * <pre>{@code
   * builder.onFatal((server, cause) -> Runtime.getRuntime().halt(1));
   * }</pre>
   *
   * @param hook called once, on a thread of the server that is not an event loop; may close the
   *     server
   */
  public HttpServerBuilder onFatal(BiConsumer<? super HttpServer, ? super Throwable> hook) {
    onFatal = Objects.requireNonNull(hook);
    return this;
  }

  /**
   * Has the server log each place at which a handler on a virtual thread ({@code
   * Handlers.blocking}) keeps its carrier thread while it waits: in native code or a class
   * initializer. A few such handlers stop all others. Off by default, because it starts a recording
   * of the JVM's Flight Recorder: it needs {@code FlightEvents.create()}, and the module {@code
   * jdk.jfr}.
   *
   * @param least how long a wait must be, at least 1 ms
   */
  public HttpServerBuilder logPinned(Duration least) {
    if (least.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(
          "logPinned is " + TimeText.of(least) + ", but must be at least 1 ms");
    }
    options.pinnedTime = least;
    return this;
  }

  /** Has the server report its state to an object whose handlers answer health checks. */
  public HttpServerBuilder health(Health reported) {
    health = Objects.requireNonNull(reported);
    return this;
  }

  /** Sets the renderer of error responses; {@link ErrorRenderer#PLAIN} by default. */
  public HttpServerBuilder errors(ErrorRenderer renderer) {
    options.errors = Objects.requireNonNull(renderer);
    return this;
  }

  /**
   * Sets the proxies that are believed when they report the client of a request by {@code
   * Forwarded} or {@code X-Forwarded-For}; none by default. {@code Request.remoteAddress}, {@code
   * scheme}, {@code isSecure} and {@code host} return what they report. The fields can be read as
   * they were sent.
   */
  public HttpServerBuilder trustedProxies(TrustedProxies proxies) {
    options.trustedProxies = Objects.requireNonNull(proxies);
    return this;
  }

  /**
   * Sets whether the objects that represent a request and its response are reused for later
   * requests, so that a request allocates nothing: from the first request on, or never. By default
   * they are from the 1,001st request of each event loop on. In any case reuse ends for good when a
   * handler first calls {@link dev.peregrine.http.Response#async async} or is {@linkplain
   * dev.peregrine.http.Handlers#blocking blocking}, and when a request or response is first used
   * after its end or on a thread that it wasn't passed to.
   *
   * <p>Such a use is a defect and throws {@link IllegalStateException}. With reuse there is one
   * exception: an object that has served earlier requests on the event loop when a handler makes it
   * async, the first of the server, also accepts a thread that has kept it since one of those.
   * Without reuse every such use throws. Turn reuse off if the application's code isn't trusted to
   * keep the rule.
   */
  public HttpServerBuilder reuseExchanges(boolean on) {
    options.reuseExchanges(on);
    return this;
  }

  /**
   * Adds a listener for the exchanges of the server, for an access log or metrics. It is called on
   * the event loops, after the listeners that were added before.
   */
  public HttpServerBuilder exchangeListener(ExchangeListener added) {
    options.exchangeListeners.add(Objects.requireNonNull(added));
    return this;
  }

  /**
   * Adds a listener for the connections of the server. It is called on the event loops, after the
   * listeners that were added before.
   */
  public HttpServerBuilder connectionListener(ConnectionListener added) {
    options.connectionListeners.add(Objects.requireNonNull(added));
    return this;
  }

  /**
   * Adds a listener that observes each event loop separately, such as {@code ServerMetrics}. Its
   * loops' listeners are called after those for exchanges and connections.
   */
  public HttpServerBuilder serverListener(ServerListener added) {
    options.serverListeners.add(Objects.requireNonNull(added));
    return this;
  }

  /** Sets the handler of all requests; required. */
  public HttpServerBuilder handler(Handler answering) {
    options.handler = Objects.requireNonNull(answering);
    return this;
  }

  /**
   * Starts the server; on return it accepts connections.
   *
   * @throws IllegalStateException if no handler was set, or endpoints beside their short form
   * @throws IllegalArgumentException if a host is unknown
   * @throws UnsupportedOperationException if the requested transport can't be used here
   * @throws UncheckedIOException if an endpoint can't be listened on, or the process before this
   *     one doesn't hand its sockets over
   */
  public HttpServer start() {
    return HttpServer.start(listen(), onFatal, health);
  }

  /**
   * Listens, without accepting connections yet, for a program that needs the port before it is
   * ready. The system completes connections, up to the backlog, and they wait for {@link
   * BoundServer#start}.
   *
   * @throws IllegalStateException if no handler was set, or endpoints beside their short form
   * @throws IllegalArgumentException if a host is unknown
   * @throws UnsupportedOperationException if the requested transport can't be used here
   * @throws UncheckedIOException if an endpoint can't be listened on, or the process before this
   *     one doesn't hand its sockets over
   */
  public BoundServer bind() {
    return new BoundServer(listen(), onFatal, health);
  }

  private Bootstrap listen() {
    options.endpoints = sources();
    return Bootstrap.bind(options());
  }

  /**
   * Returns where to listen.
   *
   * @throws IllegalStateException if there are endpoints beside their short form
   */
  private List<ListenerSource> sources() {
    if (endpoints.isEmpty()) {
      return List.of(only.source());
    }
    if (!ofOnly.isEmpty()) {
      throw new IllegalStateException(
          String.join(", ", ofOnly)
              + (ofOnly.size() == 1 ? " is" : " are")
              + " set beside endpoints, which have their own: set it on each endpoint");
    }
    List<ListenerSource> sources = new ArrayList<>();
    for (Endpoint endpoint : endpoints) {
      sources.add(endpoint.source());
    }
    return sources;
  }

  /**
   * Returns the options for one server.
   *
   * @throws IllegalStateException if the handler is not set
   */
  @Override
  protected ServerSettings options() {
    return options.build();
  }
}
