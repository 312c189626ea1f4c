package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.RejectedRequest;
import dev.peregrine.server.observe.RunMode;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener for everything that records a line for each call. */
final class ObserverNotes implements ExchangeListener, ConnectionListener {
  final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
  final BlockingQueue<String> connections = new LinkedBlockingQueue<>();

  /** Waits for the next exchange that ends, or request that is rejected. */
  String end() throws InterruptedException {
    String next = ended.poll(120, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Override
  public void onBegin(ExchangeInfo exchange) {
    assertThat(exchange.outcome()).isNull();
    assertThat(exchange.status()).isZero();
    begun.add(exchange.methodName() + " " + exchange.target());
  }

  @Override
  public void onEnd(ExchangeInfo exchange) {
    assertThat(exchange.firstByteNanos() - exchange.beginNanos()).isNotNegative();
    assertThat(exchange.endNanos() - exchange.firstByteNanos()).isNotNegative();
    if (exchange.runMode() == RunMode.BLOCKING) {
      assertThat(exchange.handlerNanos() - exchange.beginNanos()).isPositive();
      assertThat(exchange.endNanos() - exchange.handlerNanos()).isPositive();
    } else {
      assertThat(exchange.handlerNanos()).isEqualTo(exchange.beginNanos());
    }
    ended.add(
        exchange.methodName()
            + " "
            + exchange.target()
            + " "
            + exchange.routeTemplate()
            + " "
            + exchange.status()
            + " "
            + exchange.requestContentBytes()
            + " in "
            + exchange.responseContentBytes()
            + " out "
            + exchange.runMode()
            + " "
            + exchange.outcome()
            + " "
            + exchange.closeReason());
  }

  @Override
  public void onRejected(RejectedRequest rejected) {
    ended.add(
        "rejected " + rejected.status() + " " + rejected.rejection() + " " + rejected.reason());
  }

  @Override
  public void onOpen(ConnectionInfo connection) {
    connections.add("open " + connection.remoteAddress());
  }

  @Override
  public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
    assertThat(nanos - connection.openedNanos()).isNotNegative();
    connections.add(
        reason
            + " "
            + connection.requests()
            + " "
            + connection.bytesReceived()
            + " "
            + connection.remoteAddress());
  }
}
