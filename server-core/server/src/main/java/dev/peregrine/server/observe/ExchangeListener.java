package dev.peregrine.server.observe;

/**
 * Observes the exchanges of a server; see {@code HttpServerBuilder.exchangeListener}.
 *
 * <pre>{@code
 * final class Durations implements ExchangeListener {
 *   @Override
 *   public void onEnd(ExchangeInfo exchange) {
 *     long nanos = exchange.endNanos() - exchange.beginNanos();
 *     histogram.record(exchange.routeTemplate(), exchange.status(), nanos);
 *   }
 * }
 * }</pre>
 *
 * <p>For each request with a complete head, {@link #onBegin} is called once and {@link #onEnd} is
 * called once, even if the exchange fails. Bytes that do not become a request are reported to
 * {@link #onRejected} instead.
 *
 * <p>Called on the connection's event loop, so that it must not block, and by several loops at a
 * time. The facts are valid during the call only. An exception of a listener is logged and has no
 * other effect.
 */
public interface ExchangeListener {
  /** A request head is complete; its handler is called next. */
  default void onBegin(ExchangeInfo exchange) {}

  /**
   * An exchange has ended: its response was passed to the connection and the content of its request
   * was received, or neither will happen any more.
   */
  default void onEnd(ExchangeInfo exchange) {}

  /**
   * The server answered with an error to bytes that are not a request, to a head that did not
   * arrive in time, to HTTP without TLS on an endpoint that requires TLS, or to a connection above
   * the limit. The connection is closed after it.
   */
  default void onRejected(RejectedRequest rejected) {}
}
