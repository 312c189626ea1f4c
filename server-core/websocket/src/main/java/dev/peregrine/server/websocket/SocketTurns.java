package dev.peregrine.server.websocket;

import dev.peregrine.http.WebSocketMessage;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.turn.Turn;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns of connections for callers on the loop's thread which are outside of any turn, so that
 * their messages leave at once. Any thread may call this; on other threads, nothing is done.
 */
final class SocketTurns {
  private final EventLoop loop;
  private final Delivery delivery = new Delivery(); // the loop's
  private final Gathering gathering = new Gathering(); // the loop's

  SocketTurns(EventLoop loop) {
    this.loop = loop;
  }

  /**
   * Sends a message in a turn of its own, if the caller is on the loop's thread outside of any
   * turn. Otherwise returns false and does nothing.
   */
  boolean deliver(FrameSender sender, Connection connection, WebSocketMessage message) {
    int entered = loop.owner().enter();
    try {
      if (entered == LoopOwner.OUTSIDE) {
        return false; // before the delivery is touched, which is the loop's
      }
      boolean delivered = connection.tryTurn(delivery.of(sender, message));
      delivery.clear();
      return delivered;
    } finally {
      loop.owner().exit(entered);
    }
  }

  /**
   * Runs work in a turn of a connection, if the caller is on the loop's thread outside of any turn.
   * Otherwise returns false and does nothing.
   */
  boolean gather(Connection connection, Runnable work) {
    int entered = loop.owner().enter();
    try {
      return entered != LoopOwner.OUTSIDE && gathering.run(connection, work);
    } finally {
      loop.owner().exit(entered);
    }
  }

  /** Throws anything, because work in other languages throws checked exceptions too. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void rethrow(Throwable failure) throws T {
    throw (T) failure;
  }

  /** Work that sends, in a turn of the socket's connection. Its failure is the caller's. */
  private static final class Gathering implements Turn {
    private @Nullable Runnable work;
    private @Nullable Throwable failure;

    boolean run(Connection connection, Runnable sends) {
      if (work != null) {
        return false; // within other work
      }
      work = sends;
      try {
        boolean hasRun = connection.tryTurn(this);
        if (failure != null) {
          SocketTurns.<RuntimeException>rethrow(failure);
        }
        return hasRun;
      } finally {
        work = null;
        failure = null;
      }
    }

    @Override
    public void run() {
      try {
        Objects.requireNonNull(work).run();
      } catch (Throwable thrown) {
        failure = thrown;
      }
    }
  }

  /** A message on its way into a socket, in a turn of the socket's connection. */
  private static final class Delivery implements Turn {
    private @Nullable FrameSender sender;
    private @Nullable WebSocketMessage message;

    Delivery of(FrameSender to, WebSocketMessage sent) {
      sender = to;
      message = sent;
      return this;
    }

    void clear() {
      sender = null;
      message = null;
    }

    @Override
    public void run() {
      Objects.requireNonNull(sender).append(Objects.requireNonNull(message));
    }
  }
}
