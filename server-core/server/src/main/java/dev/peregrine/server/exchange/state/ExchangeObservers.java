package dev.peregrine.server.exchange.state;

import dev.peregrine.base.Incident;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import java.util.List;

/**
 * The listeners for exchanges of one event loop, called one after the other. An exception of one is
 * logged, and the next one is called all the same. On the loop's thread.
 */
public final class ExchangeObservers {
  private final EventLoop loop;
  private final ExchangeListener[] listeners;
  private final RejectionRecord rejection = new RejectionRecord();

  ExchangeObservers(EventLoop loop, List<ExchangeListener> listeners) {
    this.loop = loop;
    this.listeners = listeners.toArray(ExchangeListener[]::new);
  }

  public void onBegin(ExchangeInfo exchange) {
    for (ExchangeListener listener : listeners) {
      try {
        listener.onBegin(exchange);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
  }

  public void onEnd(ExchangeInfo exchange) {
    for (ExchangeListener listener : listeners) {
      try {
        listener.onEnd(exchange);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
  }

  /** The protocol answers with an error to bytes that are not a request. */
  public void onRejected(Connection connection, KnownError error, int contentBytes) {
    rejection.begin(connection, error, contentBytes, loop.readClock());
    for (ExchangeListener listener : listeners) {
      try {
        listener.onRejected(rejection);
      } catch (Throwable failure) {
        loop.report(Incident.LISTENER_FAILED, failure);
      }
    }
    rejection.end();
  }
}
