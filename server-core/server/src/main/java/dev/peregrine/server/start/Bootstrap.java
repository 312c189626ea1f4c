package dev.peregrine.server.start;

import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.accept.Admission;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.FirstConnections;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.OpenFiles;
import dev.peregrine.server.accept.SocketHandOver;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.config.MemorySource;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.transport.Listener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parts of a server that listens: its event loops, which don't run yet, and its sockets. */
public final class Bootstrap implements ServerFacts {
  final ServerSettings options;
  final ServerTransport transport;
  final RequestParser parser;
  final HttpProtocols protocols;
  final List<Worker> workers = new ArrayList<>();
  final List<Acceptor> acceptors = new ArrayList<>();
  final List<SocketAddress> addresses = new ArrayList<>();
  final Admission admission;
  final FirstConnections first;
  SocketHandOver.@Nullable Session handOver; // set while the server is being opened
  private final List<EndpointOptions> endpointOptions = new ArrayList<>();

  private Bootstrap(ServerSettings options) {
    this.options = options;
    transport = ServerTransport.choose(options);
    parser = options.parser(options.scanner == null ? ScannerKind.SWAR : options.scanner);
    protocols = new HttpProtocols(options, parser);
    for (ListenerSource endpoint : options.endpoints) {
      EndpointOptions wanted = endpoint.options();
      endpointOptions.add(options.features.hasHttp2() ? wanted : wanted.withoutHttp2());
    }
    admission = new Admission(workers, options.limits.connectionsMax(), endpointOptions);
    first = new FirstConnections(admission);
  }

  /** Creates the loops and listens; see {@code HttpServerBuilder.bind}. */
  public static Bootstrap bind(ServerSettings options) {
    Bootstrap parts = new Bootstrap(options);
    parts.open();
    return parts;
  }

  /** Returns the addresses that the server listens on. */
  public List<SocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  private void open() {
    String doing = "can't start";
    try {
      MemorySource memory = options.memory(transport.first());
      for (int i = 0; i < options.loops; i++) {
        String name = options.name + "-loop-" + i;
        workers.add(
            new Worker(
                name, transport.first(), memory, options.limits, protocols, endpointOptions));
      }
      SocketHandOver wanted = options.handOver;
      if (wanted != null) {
        doing = "can't take sockets over at " + wanted;
        handOver = wanted.begin(options.name + "-hand-over", options.endpoints);
      }
      for (int i = 0; i < options.endpoints.size(); i++) {
        doing = "can't listen on " + options.endpoints.get(i);
        listen(options.endpoints.get(i), i);
      }
      limitByDescriptors();
    } catch (IOException failure) {
      abandon();
      throw new UncheckedIOException(doing + ": " + failure.getMessage(), failure);
    } catch (Throwable failure) {
      abandon();
      throw failure;
    }
  }

  /** Bounds the connections by the descriptors that the process has left. */
  void limitByDescriptors() {
    OpenFiles files = OpenFiles.read();
    if (files != null) {
      int kept = admission.limitBy(files);
      NativeTransport calls = options.features.nativeTransport();
      if (calls != null) {
        calls.keepFrom(kept);
      }
    }
  }

  // ---- facts for events ----

  @Override
  public String server() {
    return options.name;
  }

  @Override
  public String transport() {
    return transport.name().toUpperCase(Locale.ROOT);
  }

  @Override
  public ScannerKind scanner() {
    return protocols.scanner();
  }

  @Override
  public @Nullable Duration pinnedTime() {
    return options.pinnedTime;
  }

  @Override
  public ServerLimits limits() {
    return options.limits;
  }

  @Override
  public String endpoints() {
    List<String> described = new ArrayList<>();
    for (int i = 0; i < endpointOptions.size(); i++) {
      described.add(addresses.get(i) + " " + endpointOptions.get(i).stack().describe());
    }
    return String.join("; ", described);
  }

  /** Ends a server whose loops aren't started. */
  public void abandon() {
    if (handOver != null) {
      handOver.abandon();
    }
    for (Worker worker : workers) {
      worker.abandon();
    }
  }

  /** Listens on an endpoint; its acceptors run on the workers from the same index on. */
  private void listen(ListenerSource endpoint, int index) throws IOException {
    List<Listener> opened = openListeners(endpoint, index);
    Set<SocketAddress> bound = new LinkedHashSet<>();
    boolean keeps = endpoint.isPerLoop() && opened.size() == workers.size();
    int used = 0;
    try {
      while (used < opened.size()) {
        Listener listener = opened.get(used);
        accept(index, workers.get((index + used) % workers.size()), listener, keeps);
        used++;
        bound.add(listener.localAddress());
      }
    } finally {
      for (Listener unused : opened.subList(used, opened.size())) {
        unused.close();
      }
    }
    addresses.addAll(bound);
  }

  private List<Listener> openListeners(ListenerSource endpoint, int index) throws IOException {
    if (handOver != null) {
      return handOver.open(index, endpoint, transport.first(), workers.size());
    }
    List<Listener> opened = new ArrayList<>();
    try {
      endpoint.open(transport.first(), workers.size(), opened);
      return opened;
    } catch (Throwable failure) {
      ListenerSource.close(opened, failure);
      throw failure;
    }
  }

  private void accept(int endpoint, Worker worker, Listener listener, boolean keeps)
      throws IOException {
    Admission.Target target = admission.target(worker, endpoint, keeps);
    Acceptor acceptor = new Acceptor(worker.loop, listener, target, first, target);
    acceptors.add(acceptor);
    worker.accept(acceptor);
  }
}
