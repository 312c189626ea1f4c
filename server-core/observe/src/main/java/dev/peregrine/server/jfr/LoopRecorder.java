package dev.peregrine.server.jfr;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.RejectedRequest;
import dev.peregrine.tls.TlsInfo;
import java.time.Duration;
import java.util.IdentityHashMap;

/**
 * Records the events of one event loop while a recording runs, on the loop's thread. An event that
 * has begun is kept here, because only its own {@code begin} sets the start of its duration.
 */
final class LoopRecorder implements ConnectionListener, ExchangeListener {
  private final String transport;
  private final TurnRecorder turns;
  private final IdentityHashMap<ConnectionInfo, ConnectionClosedEvent> connections =
      new IdentityHashMap<>();
  private final IdentityHashMap<ExchangeInfo, RequestEvent> requests = new IdentityHashMap<>();

  // Never recorded: only an event knows whether events of its kind are enabled.
  private final ConnectionClosedEvent anyConnection = new ConnectionClosedEvent();
  private final RequestEvent anyRequest = new RequestEvent();

  LoopRecorder(String transport, String loop) {
    this.transport = transport;
    this.turns = new TurnRecorder(loop);
  }

  /** Returns the recorder of the loop's turns. */
  TurnRecorder turns() {
    return turns;
  }

  @Override
  public void onOpen(ConnectionInfo connection) {
    turns.connections++;
    if (anyConnection.isEnabled()) {
      ConnectionClosedEvent event = new ConnectionClosedEvent();
      event.begin();
      connections.put(connection, event);
    }
  }

  @Override
  public void onBegin(ExchangeInfo exchange) {
    turns.requests++;
    if (anyConnection.isEnabled()) {
      ConnectionClosedEvent event =
          connections.computeIfAbsent(exchange.connection(), absent -> partial());
      event.protocol = exchange.version().name();
    }
    if (anyRequest.isEnabled()) {
      RequestEvent event = new RequestEvent();
      event.begin();
      event.queueTime = System.nanoTime() - exchange.beginNanos();
      requests.put(exchange, event);
    }
  }

  /** Begins the event of a connection that was opened before the recording. */
  private static ConnectionClosedEvent partial() {
    ConnectionClosedEvent event = new ConnectionClosedEvent();
    event.partial = true;
    event.begin();
    return event;
  }

  @Override
  public void onEnd(ExchangeInfo exchange) {
    RequestEvent event = requests.remove(exchange);
    if (event != null) {
      event.end();
      if (event.shouldCommit()) {
        event.fill(exchange);
        event.commit();
      }
    }
  }

  @Override
  public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
    ConnectionClosedEvent known = connections.remove(connection);
    if (!anyConnection.isEnabled()) {
      return;
    }
    ConnectionClosedEvent event = known == null ? partial() : known;
    event.end();
    if (event.shouldCommit()) {
      event.transport = transport;
      event.fill(connection, reason);
      event.commit();
    }
  }

  @Override
  public void onRejected(RejectedRequest rejected) {
    RejectionEvent.record(rejected);
  }

  @Override
  public void onHandshake(ConnectionInfo connection, TlsInfo tls, Duration time) {
    HandshakeEvent.record(connection, tls, time);
  }

  @Override
  public void onHandshakeFailed(ConnectionInfo connection, FailedHandshake failed) {
    HandshakeEvent.record(connection, failed);
  }
}
