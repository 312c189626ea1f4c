package dev.peregrine.server.metrics;

import dev.peregrine.base.LoopCounters;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.FailedHandshake;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.RejectedRequest;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The counters of one event loop. Written by the loop's thread, read by any. */
@SuppressWarnings("EnumOrdinal") // indices of counters and bits, never kept
final class LoopMetrics implements LoopListener {
  // Where each group of counters begins.
  static final int ACTIVE = 0;
  static final int OPENED = ACTIVE + RequestAttributes.METHODS_AND_SCHEMES;
  static final int CLOSED = OPENED + 1;
  static final int HANDSHAKES = CLOSED + CloseReason.values().length;
  static final int REJECTED = HANDSHAKES + HandshakeFailure.values().length;

  /** Heads without a rule that they broke: those that were late, cut short, and above a limit. */
  static final int REJECTED_LATE = REJECTED + Rejection.values().length;

  static final int REJECTED_OVERLOADED = REJECTED_LATE + 1;
  static final int REJECTED_INCOMPLETE = REJECTED_OVERLOADED + 1;

  static final int REJECTED_PLAIN = REJECTED_INCOMPLETE + 1;

  private static final int COUNTERS = REJECTED_PLAIN + 1;

  final LoopInfo loop;
  private final AtomicReference<Exporters> exporters; // the server's
  private final SeriesTable series;
  private final LoopCounters counters = new LoopCounters(COUNTERS);
  private final AtomicLong blocked = new AtomicLong(); // written by the watchdog

  LoopMetrics(LoopInfo loop, AtomicReference<Exporters> exporters, SeriesLimit limit) {
    this.loop = loop;
    this.exporters = exporters;
    this.series = new SeriesTable(limit);
  }

  @Override
  public void onBegin(ExchangeInfo exchange) {
    counters.add(ACTIVE + RequestAttributes.methodAndScheme(exchange), 1);
  }

  @Override
  public void onEnd(ExchangeInfo exchange) {
    int methodAndScheme = RequestAttributes.methodAndScheme(exchange);
    counters.add(ACTIVE + methodAndScheme, -1);
    Series found =
        series.find(exchange.routeTemplate(), RequestAttributes.of(exchange, methodAndScheme));
    long durationNanos = exchange.endNanos() - exchange.beginNanos();
    long requestBytes = exchange.requestContentBytes();
    long responseBytes = exchange.responseContentBytes();
    found.record(durationNanos, requestBytes, responseBytes);
    Exporters present = exporters.get();
    if (!present.isEmpty()) {
      found.pass(present, durationNanos, requestBytes, responseBytes);
    }
  }

  @Override
  public void onRejected(RejectedRequest rejected) {
    Rejection rule = rejected.rejection();
    counters.add(
        rule != null
            ? REJECTED + rule.ordinal()
            : switch (rejected.status()) {
              case 408 -> REJECTED_LATE;
              case 503 -> REJECTED_OVERLOADED;
              default -> isPlain(rejected) ? REJECTED_PLAIN : REJECTED_INCOMPLETE;
            },
        1);
  }

  private static boolean isPlain(RejectedRequest rejected) {
    return rejected.reason().equals(HandshakeFailure.PLAIN_HTTP.text());
  }

  @Override
  public void onOpen(ConnectionInfo connection) {
    counters.add(OPENED, 1);
  }

  @Override
  public void onHandshakeFailed(ConnectionInfo connection, FailedHandshake failed) {
    counters.add(HANDSHAKES + failed.reason().ordinal(), 1);
  }

  @Override
  public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
    counters.add(CLOSED + reason.ordinal(), 1);
  }

  @Override
  public void onBlocked(long nanos) {
    blocked.incrementAndGet();
  }

  /** Returns the value of a counter; callable from any thread. */
  long get(int counter) {
    return counters.get(counter);
  }

  /** Returns the number of reports about blocked turns; callable from any thread. */
  long blocked() {
    return blocked.get();
  }

  /** Returns the newest series; callable from any thread. */
  @Nullable Series newest() {
    return series.newest();
  }
}
