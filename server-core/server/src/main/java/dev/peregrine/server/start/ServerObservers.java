package dev.peregrine.server.start;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.loop.watch.BlockedTurn;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.ServerListener;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The listeners that the program has added to a server, and the events for a recorder. */
public final class ServerObservers implements Consumer<BlockedTurn> {
  private final List<ServerListener> servers;
  private final List<ServerListener> started = new ArrayList<>(); // notified of the start
  private final List<Worker> workers;
  private final @Nullable ServerEvents events;
  private final List<List<LoopListener>> loops = new ArrayList<>(); // of each worker

  private ServerObservers(
      List<ServerListener> servers, List<Worker> workers, @Nullable ServerEvents events) {
    this.servers = servers;
    this.workers = workers;
    this.events = events;
    for (int i = 0; i < workers.size(); i++) {
      loops.add(new ArrayList<>());
    }
  }

  /**
   * Gives the loops their listeners, before they run.
   *
   * @param events null if no recorder can have any
   */
  public static ServerObservers attach(
      ServerSettings options,
      List<Worker> workers,
      List<ExchangeContext> contexts,
      @Nullable ServerEvents events) {
    ServerObservers created = new ServerObservers(options.serverListeners, workers, events);
    try {
      created.start(options.name);
    } catch (Throwable failure) {
      created.onEnd();
      throw failure;
    }
    for (int i = 0; i < workers.size(); i++) {
      List<ExchangeListener> exchanges = new ArrayList<>(options.exchangeListeners);
      List<ConnectionListener> connections = new ArrayList<>(options.connectionListeners);
      exchanges.addAll(created.loops.get(i));
      connections.addAll(created.loops.get(i));
      if (!exchanges.isEmpty() || !connections.isEmpty()) {
        contexts.get(i).observeBy(exchanges);
        workers.get(i).connections.record().observeBy(connections);
      }
    }
    if (events != null) {
      events.attachBeforeStart();
    }
    return created;
  }

  private void start(String name) {
    if (servers.isEmpty()) {
      return;
    }
    List<LoopInfo> facts = new ArrayList<>();
    workers.forEach(worker -> facts.add(worker.connections.record().facts()));
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

  /** Attaches to the recorder, if there is one and it isn't done yet. */
  void attachEvents() {
    if (events != null) {
      events.attach();
    }
  }

  /** Passes on a report of the watchdog, on its thread. */
  @Override
  public void accept(BlockedTurn turn) {
    if (events != null) {
      events.onBlocked(turn);
    }
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
  public void onEnd() {
    if (events != null) {
      events.close();
    }
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
