package dev.peregrine.server.connection.facts;

import dev.peregrine.base.Incident;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.tls.TlsInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listeners for connections of one event loop, called one after the other. An exception of one
 * is logged, and the next one is called all the same. On the loop's thread.
 */
final class ConnectionObservers {
  private final EventLoop loop;
  private final ConnectionListener[] listeners;

  /** Returns the observers for those listeners and a recorder after them; null if all are null. */
  static @Nullable ConnectionObservers of(
      EventLoop loop,
      @Nullable List<ConnectionListener> listeners,
      @Nullable ConnectionListener recorder) {
    if (recorder == null) {
      return listeners == null ? null : new ConnectionObservers(loop, listeners);
    }
    List<ConnectionListener> all =
        listeners == null ? new ArrayList<>() : new ArrayList<>(listeners);
    all.add(recorder);
    return new ConnectionObservers(loop, all);
  }

  private ConnectionObservers(EventLoop loop, List<ConnectionListener> listeners) {
    this.loop = loop;
    this.listeners = listeners.toArray(ConnectionListener[]::new);
  }

  void onOpen(ConnectionInfo connection) {
    for (ConnectionListener listener : listeners) {
      try {
        listener.onOpen(connection);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
  }

  void onHandshake(ConnectionInfo connection, TlsInfo tls, Duration time) {
    for (ConnectionListener listener : listeners) {
      try {
        listener.onHandshake(connection, tls, time);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
  }

  void onHandshakeFailed(ConnectionInfo connection, FailedHandshake failed) {
    for (ConnectionListener listener : listeners) {
      try {
        listener.onHandshakeFailed(connection, failed);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
  }

  void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
    for (ConnectionListener listener : listeners) {
      try {
        listener.onClose(connection, reason, nanos);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
  }
}
