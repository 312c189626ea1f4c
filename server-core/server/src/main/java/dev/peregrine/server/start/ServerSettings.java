package dev.peregrine.server.start;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.protocol.Leniency;
import dev.peregrine.proxy.TrustedProxies;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.memory.GivenMemory;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.ServerListener;
import dev.peregrine.server.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The options of one server, as {@code HttpServerBuilder} describes them. Immutable. */
public final class ServerSettings {
  private static final int OWN_EXCHANGES = 1_000; // by then most programs have called async

  /** The number of servers of this process that were started without a name. */
  private static final AtomicInteger UNNAMED = new AtomicInteger();

  public final String name;
  public final ServerLimits limits;
  public final List<ExchangeListener> exchangeListeners;
  public final List<ConnectionListener> connectionListeners;
  public final Features features;
  final List<ListenerSource> endpoints;
  final int loops;
  final boolean daemon;
  final boolean onlyNio;
  final boolean onlyNative;
  final @Nullable ScannerKind scanner;
  public final Set<Leniency> leniencies;
  public final String serverName;
  final Handler handler;
  final @Nullable JsonCodec json;
  final ErrorRenderer errors;
  final @Nullable TrustedProxies trustedProxies;
  final int ownExchanges;
  final List<ServerListener> serverListeners;
  final @Nullable Duration pinnedTime;
  final @Nullable SocketHandOver handOver;
  private final @Nullable MemorySource memory;

  private ServerSettings(Builder from, Features features, Handler handler) {
    this.features = features;
    this.handler = handler;
    name = from.name == null ? "peregrine-" + UNNAMED.incrementAndGet() : from.name;
    limits = from.limits;
    exchangeListeners = List.copyOf(from.exchangeListeners);
    connectionListeners = List.copyOf(from.connectionListeners);
    endpoints = List.copyOf(from.endpoints);
    loops = from.loops;
    daemon = from.daemon;
    onlyNio = from.onlyNio;
    onlyNative = from.onlyNative;
    scanner = from.scanner;
    leniencies = Set.copyOf(from.leniencies);
    serverName = from.serverName;
    json = from.json;
    errors = from.errors;
    trustedProxies = from.trustedProxies;
    ownExchanges = from.ownExchanges;
    serverListeners = List.copyOf(from.serverListeners);
    pinnedTime = from.pinnedTime;
    handOver = features.handOver();
    memory = from.memory;
  }

  /** Returns a parser for these options. */
  public RequestParser parser(ScannerKind kind) {
    return new RequestParser(limits.parser(), kind, leniencies);
  }

  /** Returns where the buffers of the loops come from: the transport's memory by default. */
  public MemorySource memory(Transport transport) {
    return memory == null ? transport.memory() : new GivenMemory(memory);
  }

  /** The options of a server to be, each with its default. Not thread-safe. */
  public static final class Builder {
    public @Nullable String name;
    public ServerLimits limits = ServerLimits.DEFAULT;
    public List<ListenerSource> endpoints = List.of();
    public int loops = Runtime.getRuntime().availableProcessors();
    public boolean daemon;
    public boolean onlyNio;
    public boolean onlyNative;
    public @Nullable ScannerKind scanner;
    public String serverName = "Peregrine";
    public @Nullable Handler handler;
    public @Nullable JsonCodec json;
    public ErrorRenderer errors = ErrorRenderer.PLAIN;
    public @Nullable TrustedProxies trustedProxies;
    public @Nullable Duration pinnedTime;
    public @Nullable MemorySource memory;
    // Not an EnumSet, to start sooner: it finds the constants by reflection.
    public final Set<Leniency> leniencies = new HashSet<>();
    public final List<ExchangeListener> exchangeListeners = new ArrayList<>();
    public final List<ConnectionListener> connectionListeners = new ArrayList<>();
    public final List<ServerListener> serverListeners = new ArrayList<>();
    private final List<Feature> features = new ArrayList<>();
    private int ownExchanges = OWN_EXCHANGES;

    /** Sets whether exchanges are reused from the first request on, or never. */
    public void reuseExchanges(boolean on) {
      ownExchanges = on ? 0 : ExchangeReuse.NEVER;
    }

    /** Adds an optional part, in place of one of the same class. */
    public void add(Feature feature) {
      // Not a lambda, to start sooner: see docs/ARCHITECTURE.md.
      for (int i = features.size() - 1; i >= 0; i--) {
        if (features.get(i).getClass() == feature.getClass()) {
          features.remove(i);
        }
      }
      features.add(feature);
    }

    /**
     * Returns the options of a server, with features of its own.
     *
     * @throws IllegalStateException if the handler is not set
     */
    public ServerSettings build() {
      Handler answering = handler;
      if (answering == null) {
        throw new IllegalStateException("handler is not set");
      }
      List<Feature> own = new ArrayList<>();
      for (Feature feature : features) {
        own.add(feature.forServer());
      }
      return new ServerSettings(this, new Features(own), answering);
    }
  }
}
