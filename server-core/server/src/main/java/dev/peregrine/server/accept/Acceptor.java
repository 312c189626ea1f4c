package dev.peregrine.server.accept;

import dev.peregrine.base.DescriptorShortage;
import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.FailureSpell;
import dev.peregrine.server.loop.LoopTimer;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.ReadyHandler;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Accepts connections on its loop and passes them on. After a failure, and while the first
 * connections of a server are bounded, it pauses and tries again; a lost listener is reported as
 * fatal.
 */
public final class Acceptor implements ReadyHandler {
  private static final int ACCEPTED_PER_TURN_MAX = 64; // then other sockets get a turn
  private static final int REST_MAX = 16_384; // more than a listen queue holds
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long SHORT_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final EventLoop loop;
  private final Listener listener;
  private final Consumer<StreamSocket> target;
  private final FirstConnections first;
  private final BooleanSupplier room;
  private final LoopTimer resumption;
  private final FailureSpell failures = new FailureSpell();
  private boolean closed;
  private long loggedNanos;

  /**
   * Accepts on a loop.
   *
   * @param target takes the connections
   * @param room has a connection closed that can be spared; returns false if there is none
   */
  public Acceptor(
      EventLoop loop,
      Listener listener,
      Consumer<StreamSocket> target,
      FirstConnections first,
      BooleanSupplier room) {
    this.loop = loop;
    this.listener = listener;
    this.target = target;
    this.first = first;
    this.room = room;
    this.resumption = loop.timer(new Resumption());
    this.loggedNanos = loop.nanos() - LOG_INTERVAL_NANOS;
  }

  /** Begins to accept; on the loop's thread, or before it runs. */
  void open() throws IOException {
    listener.attach(loop.poller(), this);
  }

  /** Runs a task on its loop, unless the loop has ended. */
  public void execute(Runnable task) {
    loop.execute(task);
  }

  public Listener listener() {
    return listener;
  }

  /**
   * Has all acceptors stop, each on its loop.
   *
   * @return the number of those that haven't yet
   */
  public static CountDownLatch stopAll(List<Acceptor> acceptors) {
    CountDownLatch listening = new CountDownLatch(acceptors.size());
    for (Acceptor acceptor : acceptors) {
      acceptor.loop.execute(() -> acceptor.stop(listening::countDown));
    }
    return listening;
  }

  public EventLoop loop() {
    return loop;
  }

  /**
   * Stops listening, passes on every connection that the system has completed, then closes the
   * listening socket. The connections of a shared socket are left to the other process. On the
   * loop's thread.
   *
   * @param stopped runs afterwards, unless the loop ends first
   */
  void stop(Runnable stopped) {
    if (closed) {
      stopped.run();
      return;
    }
    if (listener.isShared()) {
      close();
      stopped.run();
      return;
    }
    loop.schedule(
        listener.stopListening(),
        () -> {
          try {
            acceptRest();
          } finally {
            close();
            stopped.run();
          }
        });
  }

  private void acceptRest() {
    for (int i = 0; i < REST_MAX && !closed; i++) {
      try {
        StreamSocket socket = listener.accept();
        if (socket == null) {
          return;
        }
        pass(socket);
      } catch (Throwable failure) {
        loop.report(Incident.LOST_BEFORE_ACCEPT, failure);
      }
    }
  }

  /** Closes the listening socket; on the loop's thread, or when the loop has ended. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      listener.close();
    } catch (Throwable failure) {
      Log.add(Level.WARNING, Incident.LISTENER_CLOSE_FAILED, failure);
    }
  }

  @Override
  public void onReady(int ops) {
    for (int i = 0; i < ACCEPTED_PER_TURN_MAX && !closed; i++) {
      try {
        if (!acceptOne()) {
          return;
        }
      } catch (ClosedChannelException lost) {
        if (!closed) {
          loop.fatal(lost);
        }
        return;
      } catch (IOException failure) {
        onAcceptFailure(failure);
        return;
      }
    }
  }

  /** Most likely out of file descriptors: trying again at once would only spin. */
  private void onAcceptFailure(IOException failure) {
    if (room.getAsBoolean()) {
      pause(SHORT_PAUSE_NANOS); // java.nio returns the descriptor after its next poll
    } else {
      pause(failure);
    }
  }

  /** Accepts a connection; returns false if there is none, or if it has to wait. */
  private boolean acceptOne() throws IOException {
    if (first.isUnbounded()) {
      return acceptNext();
    }
    if (!first.enter()) {
      pause(SHORT_PAUSE_NANOS);
      return false;
    }
    try {
      return acceptNext();
    } finally {
      first.exit();
    }
  }

  private boolean acceptNext() throws IOException {
    StreamSocket socket = listener.accept();
    if (socket == null) {
      return false;
    }
    pass(socket);
    failures.end();
    return true;
  }

  private void pass(StreamSocket socket) throws IOException {
    try {
      target.accept(socket);
    } catch (Throwable failure) {
      socket.close();
      throw failure;
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    pause(failure);
    // An I/O failure may last, for lack of descriptors; any other exception is a fault of the
    // program.
    if (failures.add(loop.nanos())) {
      loop.fatal(failure);
    }
  }

  private void pause(Throwable failure) {
    if (closed) {
      return;
    }
    pause(PAUSE_NANOS);
    long now = loop.nanos();
    if (now - loggedNanos >= LOG_INTERVAL_NANOS) {
      loggedNanos = now;
      if (DescriptorShortage.isCauseOf(failure)) {
        Log.add(Level.ERROR, Incident.NO_DESCRIPTORS.toString());
      } else {
        loop.report(Incident.ACCEPT_FAILED, failure);
      }
    }
  }

  private void pause(long nanos) {
    resumption.start(nanos); // first, so that accepting resumes even if the code below throws
    listener.listening(false);
  }

  /** The end of a pause; not a lambda, to start sooner. */
  private final class Resumption implements Runnable {
    @Override
    public void run() {
      if (!closed) {
        resumption.start(PAUSE_NANOS); // again, in case that the log threw
        listener.listening(true);
        resumption.cancel();
      }
    }
  }
}
