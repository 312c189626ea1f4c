package dev.peregrine.server;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.exchange.ExchangeContext;
import dev.peregrine.server.loop.watch.BlockedTurn;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.ServerListener;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** The listeners that the program has added to a server. */
final class ServerObservers {
  private final List<ServerListener> servers;
  private final List<ServerListener> started = new ArrayList<>(); // notified of the start
  private final List<Worker> workers;
  private final List<List<LoopListener>> loops = new ArrayList<>(); // of each worker

  private ServerObservers(List<ServerListener> servers, List<Worker> workers) {
    this.servers = servers;
    this.workers = workers;
    for (int i = 0; i < workers.size(); i++) {
      loops.add(new ArrayList<>());
    }
  }

  /** Gives the loops their listeners, before they run. */
  static ServerObservers attach(
      HttpServerBuilder options,
      String name,
      List<Worker> workers,
      List<ExchangeContext> contexts) {
    ServerObservers created = new ServerObservers(List.copyOf(options.serverListeners()), workers);
    try {
      created.start(name);
    } catch (Throwable failure) {
      created.onEnd();
      throw failure;
    }
    for (int i = 0; i < workers.size(); i++) {
      List<ExchangeListener> exchanges = new ArrayList<>(options.exchangeListeners());
      List<ConnectionListener> connections = new ArrayList<>(options.connectionListeners());
      exchanges.addAll(created.loops.get(i));
      connections.addAll(created.loops.get(i));
      if (!exchanges.isEmpty() || !connections.isEmpty()) {
        contexts.get(i).observeBy(exchanges);
        workers.get(i).connections.observeBy(connections);
      }
    }
    return created;
  }

  private void start(String name) {
    if (servers.isEmpty()) {
      return;
    }
    List<LoopInfo> facts = new ArrayList<>();
    workers.forEach(worker -> facts.add(worker.connections.facts()));
    for (ServerListener server : servers) {
      List<? extends LoopListener> added = server.onStart(name, List.copyOf(facts));
      started.add(server);
      if (added.size() != workers.size()) {
        throw new IllegalStateException(
            "onStart returned " + added.size() + " listeners for " + workers.size() + " loops");
      }
      for (int i = 0; i < added.size(); i++) {
        loops.get(i).add(added.get(i));
      }
    }
  }

  /** Passes on a report of the watchdog, on its thread. */
  void onBlocked(BlockedTurn turn) {
    if (turn.isOver() || servers.isEmpty()) {
      return;
    }
    for (int i = 0; i < workers.size(); i++) {
      if (workers.get(i).loop.name().equals(turn.loop())) {
        for (LoopListener listener : loops.get(i)) {
          call(() -> listener.onBlocked(turn.nanos()));
        }
      }
    }
  }

  /** Notifies the listeners that the server is closing, or has failed to start. */
  void onEnd() {
    for (ServerListener server : started) {
      call(server::onEnd);
    }
  }

  private static void call(Runnable notification) {
    try {
      notification.run();
    } catch (Throwable failure) {
      Log.add(Level.ERROR, Incident.LISTENER_FAILED, failure);
    }
  }
}
