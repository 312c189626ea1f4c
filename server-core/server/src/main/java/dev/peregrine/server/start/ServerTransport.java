package dev.peregrine.server.start;

import dev.peregrine.base.Log;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.accept.Worker;
import dev.peregrine.server.transport.Transport;
import dev.peregrine.server.transport.nio.NioTransport;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one server: the one that it begins on, and its change to system calls while it
 * runs. Thread-safe.
 */
public final class ServerTransport {
  private final ServerSettings options;
  private final @Nullable NativeTransport calls; // null if there are no system calls
  private final boolean canMove;
  private final Transport first;
  private volatile boolean isNative;
  private volatile boolean isProblemLogged;

  private ServerTransport(ServerSettings options, @Nullable NativeTransport calls) {
    this.options = options;
    this.calls = calls;
    this.canMove = canMove(options, calls);
    this.isNative = isNativeFirst();
    if (!isNative) {
      checkNoDescriptors();
    }
    this.first = open(isNative, calls);
  }

  /**
   * Chooses and opens the transport to begin with. That is {@code java.nio} if the server can move
   * when it runs.
   *
   * @throws UnsupportedOperationException if an option needs a transport that can't be used here
   */
  static ServerTransport choose(ServerSettings options) {
    return new ServerTransport(options, options.features.nativeTransport());
  }

  /** Returns the transport to begin with. */
  Transport first() {
    return first;
  }

  /** Returns the name of the transport at present. */
  String name() {
    return isNative && calls != null ? calls.name() : first.name();
  }

  private boolean isNativeFirst() {
    if (options.onlyNio || options.onlyNative) {
      return options.onlyNative;
    }
    boolean movesLater = canMove && calls != null && !calls.isLinked();
    return !movesLater && problem() == null;
  }

  /**
   * Opens a transport.
   *
   * @throws UnsupportedOperationException if it can't be used here
   */
  public static Transport open(boolean isNative, @Nullable NativeTransport calls) {
    if (isNative) {
      if (calls == null) {
        throw new UnsupportedOperationException(
            "this server is built without system calls: with(Epoll.create())");
      }
      return calls.open();
    }
    if (calls == null) {
      return new NioTransport();
    }
    calls.postponeLink();
    return new NioTransport(calls.memory());
  }

  /** Returns why there are no system calls; null if there are. Links them. */
  private @Nullable String problem() {
    return calls == null ? "the server is built without it: with(Epoll.create())" : calls.problem();
  }

  /**
   * Returns true if a server can begin on {@code java.nio} and move: its one listening socket can
   * be found by its address.
   */
  private static boolean canMove(ServerSettings options, @Nullable NativeTransport calls) {
    return calls != null
        && calls.knownProblem() == null
        && options.handOver == null
        && options.endpoints.size() == 1
        && options.endpoints.getFirst().isIdentifiedByAddress();
  }

  /**
   * Checks that no option needs descriptors.
   *
   * @throws UnsupportedOperationException that says what is missing
   */
  private void checkNoDescriptors() {
    boolean inherits = false;
    for (ListenerSource endpoint : options.endpoints) {
      inherits |= endpoint.isInherited();
    }
    if (inherits || options.handOver != null) {
      String problem = problem();
      throw new UnsupportedOperationException(
          (inherits ? "an inherited socket" : "handOver")
              + " needs the epoll transport, but "
              + (problem == null ? "the transport is set to NIO" : problem));
    }
  }

  /** Logs in one line which transport is used if a faster one exists, and why that isn't used. */
  void logProblem() {
    if (calls != null && isOpen() && !canMove) {
      String problem = calls.problem();
      if (problem != null) {
        isProblemLogged = true;
        Log.add(
            Level.INFO,
            "transport: " + name() + "; " + calls.name() + " would be faster, but " + problem);
      }
    }
  }

  /** Logs the transport at present, and the one that the server moves to. */
  void log() {
    if (!isProblemLogged) {
      NativeTransport next = isOpen() && !isNative && canMove ? calls : null;
      Log.add(Level.INFO, "transport: " + name() + (next == null ? "" : ", then " + next.name()));
    }
  }

  /** Returns true if the server began without system calls. */
  boolean isToSettle() {
    return calls != null
        && !isNative
        && calls.knownProblem() == null
        && (isOpen() || !calls.isLinked());
  }

  /** Links the system calls, and has loops that only began on {@code java.nio} use them. */
  void settle(List<Worker> workers) {
    if (calls != null) {
      calls.link();
    }
    if (isOpen()) {
      move(workers);
      if (isNative) {
        log();
      }
    }
  }

  /** Has the loops use system calls from now on, if that is possible; waits for them. */
  void move(List<Worker> workers) {
    try {
      if (calls != null && !isNative && canMove && TransportMove.run(calls, workers)) {
        isNative = true;
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns true if the application has left the choice to the server. */
  private boolean isOpen() {
    return !options.onlyNio && !options.onlyNative;
  }
}
