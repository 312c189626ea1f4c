package dev.peregrine.server;

import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.StreamSocket;
import java.util.List;

/** Counts accepted connections, and passes each to an event loop that serves or sheds it. */
final class Admission {
  private final List<Worker> workers;
  private final int connectionsMax; // 0 for any number

  Admission(List<Worker> workers, int connectionsMax) {
    this.workers = workers;
    this.connectionsMax = connectionsMax;
  }

  /** Passes a connection of an endpoint to the loop with the fewest connections. */
  void spread(Worker acceptedBy, int endpoint, StreamSocket socket) {
    Worker target = acceptedBy;
    for (Worker worker : workers) {
      if (worker.connections.reserved() < target.connections.reserved()) {
        target = worker;
      }
    }
    pass(socket, endpoint, acceptedBy, target);
  }

  /** Keeps a connection on the loop that has accepted it. */
  void keep(Worker acceptedBy, int endpoint, StreamSocket socket) {
    pass(socket, endpoint, acceptedBy, acceptedBy);
  }

  private void pass(StreamSocket socket, int endpoint, Worker acceptedBy, Worker target) {
    // Created before the connection is counted, because allocation may fail.
    Passed passed = target == acceptedBy ? null : new Passed(socket, endpoint, target);
    target.connections.reserve();
    boolean shed = connectionsMax > 0 && admitted() > connectionsMax;
    if (shed) {
      target.connections.countShed();
    }
    if (passed != null) {
      passed.connectionsMax = shed ? connectionsMax : 0;
      target.loop.execute(passed);
    } else if (shed) {
      target.shed(endpoint, socket, connectionsMax);
    } else {
      target.open(endpoint, socket);
    }
  }

  private int admitted() {
    int sum = 0;
    for (Worker worker : workers) {
      sum += worker.connections.admitted();
    }
    return sum;
  }

  /** A connection on its way to its loop. */
  private static final class Passed extends LoopTask {
    private final StreamSocket socket;
    private final int endpoint;
    private final Worker target;
    private int connectionsMax; // 0 unless it is shed

    Passed(StreamSocket socket, int endpoint, Worker target) {
      this.socket = socket;
      this.endpoint = endpoint;
      this.target = target;
    }

    @Override
    protected void run() {
      if (connectionsMax > 0) {
        target.shed(endpoint, socket, connectionsMax);
      } else {
        target.open(endpoint, socket);
      }
    }

    @Override
    protected void onRejected() {
      target.discard(socket, connectionsMax > 0);
    }
  }
}
