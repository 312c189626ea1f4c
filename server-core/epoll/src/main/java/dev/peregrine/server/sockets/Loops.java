package dev.peregrine.server.sockets;

import dev.peregrine.base.Log;
import dev.peregrine.linux.Linux;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.turn.CarryingLoop;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The loops of one transport in which sockets wait, of all servers of the JVM: drivers create the
 * factory by its name, so it can't be given a server. Thread-safe.
 */
final class Loops {
  static final Loops EPOLL = new Loops();
  static final Loops NIO = new Loops();

  private static final AtomicBoolean LOGGED = new AtomicBoolean();
  private static volatile @Nullable String problem =
      "the first was created before LoopSockets.create(), which is for builder.with";

  private static volatile @Nullable Loops early; // of the last socket that was opened without loops

  private final List<EventLoop> all = new CopyOnWriteArrayList<>();

  private Loops() {}

  /** From now on sockets may be created that are going to wait in loops. */
  static void announce() {
    problem = null;
  }

  /** Adds the loops of a server, which don't run yet. */
  @SuppressWarnings("ReferenceEquality") // there are two
  void add(List<EventLoop> loops) {
    all.addAll(loops);
    problem = null;
    Loops before = early;
    early = null;
    if (before != null && before != this) {
      Log.add(
          Level.INFO,
          "sockets of clients that were created before the server don't wait in its loops, because"
              + " it has another transport: create connection pools after it");
    }
  }

  /** Notes a server whose loops can't be used; if it is the only one, there are no such sockets. */
  static void refuse(String server) {
    if (EPOLL.all.isEmpty() && NIO.all.isEmpty() && problem == null) {
      problem = "there is only " + server;
    }
  }

  static void remove(List<EventLoop> loops) {
    EPOLL.all.removeAll(loops);
    NIO.all.removeAll(loops);
  }

  /**
   * Returns the loops for a new socket: those of the transport of the loop that carries the caller,
   * otherwise those that there are. Before the first server, they are those on epoll where there
   * are system calls, as servers are by default.
   */
  static Loops forNewSocket() {
    boolean noEpoll = EPOLL.all.isEmpty();
    boolean noNio = NIO.all.isEmpty();
    if (noEpoll && noNio) {
      Loops expected = Linux.problem() == null ? EPOLL : NIO;
      early = expected;
      return expected;
    }
    Thread thread = Thread.currentThread();
    EventLoop own = thread.isVirtual() ? CarryingLoop.of(thread) : null;
    return noEpoll || (own != null && NIO.all.contains(own)) ? NIO : EPOLL;
  }

  /** Returns true if sockets are to wait in loops. Otherwise the log says once why they don't. */
  static boolean areUsable() {
    String found = problem;
    if (found == null && !CarryingLoop.isKnown()) {
      found = "event loops don't carry blocking handlers";
    }
    if (found != null && !LOGGED.getAndSet(true)) {
      Log.add(Level.INFO, "sockets of clients don't wait in event loops: " + found);
    }
    return found == null;
  }

  /**
   * Returns the loop for a wait: the one that carries the thread, otherwise the one that watches
   * the socket at present, otherwise any; null if there is none.
   *
   * @param present the loop that watches the socket, if any
   * @param any chooses among all loops, by its identity
   */
  @Nullable EventLoop choose(Thread thread, @Nullable EventLoop present, Object any) {
    EventLoop own = thread.isVirtual() ? CarryingLoop.of(thread) : null;
    if (own != null && !own.isOver() && (isSame(own, present) || all.contains(own))) {
      return own;
    }
    if (present != null && !present.isOver()) {
      return present;
    }
    Object[] loops = all.toArray();
    int first = System.identityHashCode(any) & 0xffff;
    for (int i = 0; i < loops.length; i++) {
      EventLoop loop = (EventLoop) loops[(first + i) % loops.length];
      if (!loop.isOver()) {
        return loop;
      }
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // loops are compared by identity
  private static boolean isSame(EventLoop own, @Nullable EventLoop present) {
    return own == present;
  }
}
