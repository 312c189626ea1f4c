package dev.peregrine.server.handover;

import dev.peregrine.base.Log;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.linux.PeerProcess;
import dev.peregrine.linux.PollSet;
import dev.peregrine.linux.WakeUp;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives the listening sockets of this process to the next one that connects to the hand-over
 * socket. Has a thread of its own, so that no process that connects can hold up an event loop. It
 * serves one process at a time and refuses others meanwhile.
 */
final class SocketGiver {
  /** The owner of the sockets. All methods are called on the giver's thread. */
  public interface Owner {
    /** Returns the present sockets; they stay open until {@link #onEnd}. */
    List<OfferedSocket> sockets();

    /** Stops accepting connections, because another process accepts them. */
    void onReady();

    /** Closes the descriptors of the sockets, because the giver has ended. */
    void onEnd();

    /** Ends the server, because another process has the sockets; called last. */
    void onTaken();
  }

  private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long FOREVER_NANOS = TimeUnit.HOURS.toNanos(1);
  private static final Duration END_TIME_MAX = Duration.ofSeconds(5);

  private final LocalSocket listener;
  private final long readyNanos;
  private final Owner owner;
  private final WakeUp wakeUp;
  private final Thread thread;
  private final PollSet poll = new PollSet();
  private volatile boolean ending;
  private volatile boolean given;
  private @Nullable GiverSession session; // this and all below: used by the thread

  /**
   * A giver that doesn't run yet. It owns the listener.
   *
   * @param readyNanos the time that the other process has from its request until it is ready
   */
  public SocketGiver(String threadName, LocalSocket listener, long readyNanos, Owner owner)
      throws IOException {
    this.listener = listener;
    this.readyNanos = readyNanos;
    this.owner = owner;
    this.wakeUp = new WakeUp();
    this.thread = Thread.ofPlatform().name(threadName).unstarted(this::run);
  }

  /** Begins to serve other processes. */
  public void start() {
    thread.start();
  }

  /**
   * Ends the giver, except if it is ending this process's server already. A process that has
   * received the sockets keeps them. Callable from any thread.
   *
   * @return true if another process has the sockets
   */
  public boolean end() {
    ending = true;
    wakeUp.signal();
    if (!Thread.currentThread().equals(thread) && !given) {
      try {
        boolean ignored = thread.join(END_TIME_MAX);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return given;
  }

  private void run() {
    try {
      serve();
    } finally {
      if (session != null) {
        session.close();
      }
      listener.close();
      wakeUp.close();
      owner.onEnd();
    }
    if (given && !ending) {
      owner.onTaken();
    }
  }

  private void serve() {
    while (!ending && !given) {
      try {
        turn();
      } catch (IOException failure) {
        Log.add(Level.WARNING, "a hand-over failed: " + failure.getMessage());
        abort("the hand-over failed");
        pause();
      } catch (RuntimeException | Error failure) {
        Log.add(Level.WARNING, "a hand-over failed", failure);
        abort("the hand-over failed");
        pause();
      }
    }
    GiverSession last = session;
    if (ending && last != null && last.isOffered()) {
      given = true; // this process ends, so the other one need not be ready
      last.finish();
    }
  }

  private void turn() throws IOException {
    GiverSession current = session;
    poll.clear();
    int woken = poll.add(wakeUp.descriptor(), false);
    int connected = poll.add(listener.descriptor(), false);
    int told = current == null ? 0 : poll.add(current.descriptor(), current.isSending());
    poll.await(current == null ? FOREVER_NANOS : current.remainingNanos());
    if (poll.isReady(woken)) {
      return;
    }
    if (current != null) {
      if (poll.isReady(told)) {
        advance(current);
      } else if (current.remainingNanos() <= 0) {
        abort("its time is over");
      }
    }
    if (!given && poll.isReady(connected)) {
      accept();
    }
  }

  private void advance(GiverSession current) throws IOException {
    if (!current.advance(readyNanos)) {
      Log.add(Level.WARNING, name(current) + " ended before it was ready; this one continues");
      current.close();
      session = null;
    } else if (current.isReady()) {
      if (current.isGone()) {
        Log.add(Level.WARNING, name(current) + " ended as soon as it was ready");
        current.close();
        session = null;
        return;
      }
      given = true;
      stopAccepting();
      current.finish();
      Log.add(Level.INFO, name(current) + " has taken the listening sockets");
    }
  }

  private void stopAccepting() {
    try {
      owner.onReady();
    } catch (RuntimeException | Error failure) {
      Log.add(Level.WARNING, "listening sockets that were handed over are still in use", failure);
    }
  }

  private void accept() throws IOException {
    LocalSocket peer = listener.accept();
    if (peer == null) {
      return;
    }
    GiverSession opened;
    try {
      PeerProcess process = peer.peer();
      opened =
          new GiverSession(peer, process, listener.descriptor(), owner.sockets(), REQUEST_NANOS);
    } catch (Throwable failure) {
      peer.close();
      throw failure;
    }
    String refusal = refusal(opened.process());
    if (refusal.isEmpty()) {
      session = opened;
    } else {
      Log.add(Level.WARNING, name(opened) + " was refused a hand-over: " + refusal);
      refuse(opened, refusal);
    }
  }

  private String refusal(PeerProcess process) {
    if (!process.isTrusted()) {
      return "it runs as the user " + process.uid();
    }
    GiverSession current = session;
    return current == null
        ? ""
        : "process " + current.process().pid() + " is taking the sockets over at present";
  }

  private static void refuse(GiverSession refused, String reason) {
    try (refused) {
      refused.refuse(reason);
    }
  }

  /** Ends the present hand-over, and continues as if it had not begun. */
  private void abort(String reason) {
    GiverSession current = session;
    session = null;
    if (current != null) {
      Log.add(Level.WARNING, name(current) + " is refused the sockets: " + reason);
      refuse(current, reason);
    }
  }

  private static String name(GiverSession of) {
    return "process " + of.process().pid();
  }

  /** Waits after a failure, which may last. */
  private void pause() {
    try {
      poll.clear();
      int ignored = poll.add(wakeUp.descriptor(), false);
      poll.await(PAUSE_NANOS);
    } catch (IOException | RuntimeException | Error failure) {
      Thread.onSpinWait(); // the next turn tries again
    }
  }
}
