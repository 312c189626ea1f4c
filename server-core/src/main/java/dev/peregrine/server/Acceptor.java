package dev.peregrine.server;

import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.Listener;
import dev.peregrine.server.loop.ReadyHandler;
import dev.peregrine.server.loop.StreamSocket;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Accepts connections on its loop and passes them on; pauses when the system has no more to give.
 */
final class Acceptor implements ReadyHandler {
  private static final Logger LOGGER = System.getLogger("dev.peregrine.server");
  private static final int ACCEPTED_PER_TURN_MAX = 64; // arbitrary: other sockets wait meanwhile
  private static final int REST_MAX = 65_536; // more than the system keeps waiting
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long LOG_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final EventLoop loop;
  private final Listener listener;
  private final Consumer<StreamSocket> target;
  private boolean closed;
  private long loggedNanos = System.nanoTime() - LOG_INTERVAL_NANOS;

  Acceptor(EventLoop loop, Listener listener, Consumer<StreamSocket> target) {
    this.loop = loop;
    this.listener = listener;
    this.target = target;
  }

  EventLoop loop() {
    return loop;
  }

  /** Begins to accept; on the loop's thread, or before it runs. */
  void open() throws IOException {
    listener.attach(loop.poller(), this);
  }

  /**
   * Stops listening, passes on every connection that the system has completed, then closes the
   * listening socket. On the loop's thread.
   *
   * @param stopped runs afterwards, unless the loop ends before
   */
  void stop(Runnable stopped) {
    if (closed) {
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
    try {
      for (int i = 0; i < REST_MAX && !closed; i++) {
        StreamSocket socket = listener.accept();
        if (socket == null) {
          return;
        }
        target.accept(socket);
      }
    } catch (IOException failure) {
      loop.report("connections that waited to be accepted are lost", failure);
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
    } catch (IOException failure) {
      LOGGER.log(Level.WARNING, "closing a listening socket", failure);
    }
  }

  @Override
  public void onReady(int ops) {
    for (int i = 0; i < ACCEPTED_PER_TURN_MAX && !closed; i++) {
      try {
        StreamSocket socket = listener.accept();
        if (socket == null) {
          return;
        }
        target.accept(socket);
      } catch (IOException failure) {
        pause(failure);
        return;
      }
    }
  }

  @Override
  public void onFailure(Throwable failure) {
    pause(failure);
  }

  /** Most likely out of file descriptors: trying again at once would only spin. */
  private void pause(Throwable failure) {
    if (closed) {
      return;
    }
    listener.listening(false);
    loop.schedule(PAUSE_NANOS, this::resume);
    long now = loop.nanos();
    if (now - loggedNanos >= LOG_INTERVAL_NANOS) {
      loggedNanos = now;
      loop.report("accepting connections pauses, to be tried again", failure);
    }
  }

  private void resume() {
    if (!closed) {
      listener.listening(true);
    }
  }
}
