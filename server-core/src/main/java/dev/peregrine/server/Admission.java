package dev.peregrine.server;

import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.StreamSocket;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts accepted connections, and passes each to an event loop that serves or sheds it. */
final class Admission {
  private final List<Worker> workers;
  private final int connectionsMax; // 0 for any number
  private final @Nullable EndpointLimit[] limits; // by endpoint; null for none

  /**
   * Admits connections of some endpoints.
   *
   * @param connectionsMax open connections of all endpoints; 0 for any number
   */
  Admission(List<Worker> workers, int connectionsMax, List<Endpoint> endpoints) {
    this.workers = workers;
    this.connectionsMax = connectionsMax;
    this.limits = new EndpointLimit[endpoints.size()];
    for (int i = 0; i < limits.length; i++) {
      int max = endpoints.get(i).connectionsMax();
      limits[i] = max == 0 ? null : new EndpointLimit(max);
    }
  }

  /**
   * Returns the consumer of the connections that a worker accepts on an endpoint.
   *
   * @param keeps whether they stay with that worker
   */
  Consumer<StreamSocket> target(Worker acceptedBy, int endpoint, boolean keeps) {
    return new Target(this, acceptedBy, endpoint, keeps);
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
    Passed passed = target == acceptedBy ? null : new Passed(endpoint, target);
    EndpointLimit limit = limits[endpoint];
    CountedSocket counted = limit == null ? null : new CountedSocket(socket, target.loop, limit);

    target.connections.reserve();
    int exceeded = connectionsMax > 0 && admitted() > connectionsMax ? connectionsMax : 0;
    if (exceeded == 0 && limit != null && !Objects.requireNonNull(counted).admit()) {
      exceeded = limit.max();
    }
    if (exceeded > 0) {
      target.connections.countShed();
    }
    StreamSocket taken = counted == null || exceeded > 0 ? socket : counted;
    if (passed != null) {
      passed.socket = taken;
      passed.exceeded = exceeded;
      target.loop.execute(passed);
    } else {
      take(target, endpoint, taken, exceeded);
    }
  }

  private static void take(Worker target, int endpoint, StreamSocket socket, int exceeded) {
    if (exceeded > 0) {
      target.shed(endpoint, socket, exceeded);
    } else {
      target.open(endpoint, socket);
    }
  }

  /** Returns the number of connections of all loops, admitted or shed; on any thread. */
  int reserved() {
    int sum = 0;
    for (Worker worker : workers) {
      sum += worker.connections.reserved();
    }
    return sum;
  }

  /** Returns the number of admitted connections of all loops; on any thread. */
  int admitted() {
    int sum = 0;
    for (Worker worker : workers) {
      sum += worker.connections.admitted();
    }
    return sum;
  }

  /** Takes the connections of an acceptor; not a lambda, to start sooner. */
  private record Target(Admission admission, Worker acceptedBy, int endpoint, boolean keeps)
      implements Consumer<StreamSocket> {
    @Override
    public void accept(StreamSocket socket) {
      if (keeps) {
        admission.keep(acceptedBy, endpoint, socket);
      } else {
        admission.spread(acceptedBy, endpoint, socket);
      }
    }
  }

  /** A connection on its way to its loop. */
  private static final class Passed extends LoopTask {
    private final int endpoint;
    private final Worker target;
    private @Nullable StreamSocket socket;
    private int exceeded; // the limit that it is above, 0 for none

    Passed(int endpoint, Worker target) {
      this.endpoint = endpoint;
      this.target = target;
    }

    @Override
    protected void run() {
      take(target, endpoint, Objects.requireNonNull(socket), exceeded);
    }

    @Override
    protected void onRejected() {
      target.discard(Objects.requireNonNull(socket), exceeded > 0);
    }
  }
}
