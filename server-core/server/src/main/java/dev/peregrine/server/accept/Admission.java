package dev.peregrine.server.accept;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.transport.StreamSocket;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts accepted connections, and passes each to an event loop that serves or sheds it. One above
 * the limit that the application has set is shed. One above the number that the process has
 * descriptors for takes the place of one that can be spared, and is shed only if there is none.
 */
public final class Admission implements IntSupplier {
  private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final List<Worker> workers;
  private final int connectionsMax; // 0 for any number
  private final @Nullable EndpointLimit[] limits; // by endpoint; null for none
  private volatile @Nullable OpenFiles openFiles; // null if no limit is known
  private volatile int descriptorsMax = Integer.MAX_VALUE; // connections that the limit allows
  private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - LOG_INTERVAL_NANOS);

  /**
   * Admits connections of some endpoints.
   *
   * @param connectionsMax open connections of all endpoints; 0 for any number
   */
  public Admission(List<Worker> workers, int connectionsMax, List<EndpointOptions> endpoints) {
    this.workers = workers;
    this.connectionsMax = connectionsMax;
    this.limits = new EndpointLimit[endpoints.size()];
    for (int i = 0; i < limits.length; i++) {
      int max = endpoints.get(i).connectionsMax();
      limits[i] = max == 0 ? null : new EndpointLimit(max);
    }
  }

  /**
   * Bounds the connections by the descriptors of the process. Called before the loops run, and
   * again when the program has opened more files; on any thread.
   *
   * @param files at present
   * @return the first descriptor that no file should take, because it is kept for connections that
   *     are shed
   */
  public int limitBy(OpenFiles files) {
    OpenFiles others = files.without(getAsInt());
    openFiles = others;
    descriptorsMax = others.connectionsMax();
    for (Worker worker : workers) {
      worker.limitShed(others.reserve(), workers.size());
    }
    return others.limit() - others.reserve() / Worker.SHED_PART;
  }

  /** Returns why fewer connections are admitted than the application allows; null if none are. */
  public @Nullable String shortage() {
    OpenFiles files = openFiles;
    return files == null || connectionsMax <= descriptorsMax
        ? null
        : "connectionsMax is " + connectionsMax + ", but " + allowed(files);
  }

  private String allowed(OpenFiles files) {
    return files.describe() + " allows " + descriptorsMax + " connections";
  }

  /**
   * Returns what a worker's acceptor of an endpoint needs: it takes the connections, and makes room
   * if there are no descriptors.
   *
   * @param keeps whether they stay with that worker
   */
  public Target target(Worker acceptedBy, int endpoint, boolean keeps) {
    return new Target(this, acceptedBy, endpoint, keeps);
  }

  /** Passes a connection of an endpoint to the loop with the fewest connections. */
  void spread(Worker acceptedBy, int endpoint, StreamSocket socket) {
    Worker target = acceptedBy;
    for (Worker worker : workers) {
      if (worker.connections.count().reserved() < target.connections.count().reserved()) {
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

    target.connections.count().reserve();
    int exceeded = connectionsMax > 0 && admitted() > connectionsMax ? connectionsMax : 0;
    if (exceeded == 0 && limit != null && !Objects.requireNonNull(counted).admit()) {
      exceeded = limit.max();
    }
    if (exceeded > 0) {
      target.connections.count().countShed();
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

  private void take(Worker target, int endpoint, StreamSocket socket, int exceeded) {
    if (exceeded > 0) {
      target.shed(endpoint, socket, exceeded);
    } else if (admitted() > descriptorsMax && !makeRoom(target, true)) {
      target.connections.count().countShed();
      target.shed(endpoint, socket, descriptorsMax);
    } else {
      target.open(endpoint, socket);
    }
  }

  /**
   * Has a connection closed that can be spared: of this loop, at once; otherwise of the other loop
   * with the most connections, for those that come later. Returns true if one has been closed.
   */
  private boolean makeRoom(Worker here, boolean admitted) {
    logTight();
    if (here.makeRoom(admitted)) {
      return true;
    }
    Worker fullest = null;
    for (Worker worker : workers) {
      boolean isFuller =
          fullest == null
              || worker.connections.count().reserved() > fullest.connections.count().reserved();
      fullest = worker != here && isFuller ? worker : fullest;
    }
    if (fullest != null) {
      fullest.loop.execute(new Elsewhere(fullest, admitted));
    }
    return false;
  }

  private void logTight() {
    OpenFiles files = openFiles;
    long now = System.nanoTime();
    long last = loggedNanos.get();
    if (files != null && now - last >= LOG_INTERVAL_NANOS && loggedNanos.compareAndSet(last, now)) {
      Log.add(
          Level.WARNING,
          "idle connections are closed to make room, and further ones get 503: " + allowed(files));
    }
  }

  /** Returns the number of connections of all loops, admitted or shed; on any thread. */
  @Override
  public int getAsInt() {
    int sum = 0;
    for (Worker worker : workers) {
      sum += worker.connections.count().reserved();
    }
    return sum;
  }

  /** Returns the number of admitted connections of all loops; on any thread. */
  int admitted() {
    int sum = 0;
    for (Worker worker : workers) {
      sum += worker.connections.count().admitted();
    }
    return sum;
  }

  /** The connections of an acceptor, in both directions. Not a lambda, to start sooner. */
  public record Target(Admission admission, Worker acceptedBy, int endpoint, boolean keeps)
      implements Consumer<StreamSocket>, BooleanSupplier {
    @Override
    public void accept(StreamSocket socket) {
      if (keeps) {
        admission.keep(acceptedBy, endpoint, socket);
      } else {
        admission.spread(acceptedBy, endpoint, socket);
      }
    }

    /** Has a connection closed that can be spared; returns false if there is none. */
    @Override
    public boolean getAsBoolean() {
      return admission.makeRoom(acceptedBy, false);
    }
  }

  /** Makes room on another loop; not a lambda, so that it is loaded before descriptors run out. */
  private record Elsewhere(Worker worker, boolean admitted) implements Runnable {
    @Override
    public void run() {
      boolean ignored = worker.makeRoom(admitted);
    }
  }

  /** A connection on its way to its loop. */
  private final class Passed extends LoopTask {
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
