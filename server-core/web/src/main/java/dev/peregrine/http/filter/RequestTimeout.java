package dev.peregrine.http.filter;

import dev.peregrine.base.Range;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Answers 503 if a handler hasn't begun its response in time, counted from the call of the handler
 * on.
 *
 * <pre>{@code
 * Handler reports = RequestTimeout.of(Duration.ofSeconds(10), Handlers.blocking(this::report));
 * }</pre>
 *
 * <ul>
 *   <li>A response whose head was sent in time is not cut, however long it takes.
 *   <li>Of a late response nothing is sent: what the handler sends is dropped, or its call throws
 *       {@link java.io.IOException} or {@link IllegalStateException}.
 *   <li>The handler is not stopped. {@link Response#onAbort} notifies it, with an exception whose
 *       cause is the {@link HttpException} of this filter.
 *   <li>A handler that blocks the event loop also blocks this filter: its response is sent, late.
 *       The server logs such a handler.
 * </ul>
 *
 * <p>The time includes that in which the handler waits for the content of the request. A request
 * that is answered 503 is logged in one line, without a stack. Thread-safe.
 */
public final class RequestTimeout implements Handler {
  private static final StackTraceElement[] NO_STACK = {};

  private final Duration time;
  private final Handler handler;

  private RequestTimeout(Duration time, Handler handler) {
    Range.checkPositive("time", time);
    this.time = time;
    this.handler = Objects.requireNonNull(handler);
  }

  /**
   * Creates the filter.
   *
   * @throws IllegalArgumentException if the time isn't positive, or above 36,500 days
   */
  public static RequestTimeout of(Duration time, Handler handler) {
    return new RequestTimeout(time, handler);
  }

  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    response.onLoopAfter(time, () -> expire(response)); // ends with the exchange
    handler.handle(request, response);
  }

  /**
   * Fails the exchange by throwing, and not by {@link Response#fail}: another thread may be using
   * the response at this moment.
   */
  private void expire(Response response) {
    if (!response.isCommitted()) {
      HttpException late =
          new HttpException(
              HttpStatus.SERVICE_UNAVAILABLE.code(),
              "the response did not begin within " + seconds());
      late.setStackTrace(NO_STACK); // it would show this filter only
      throw late;
    }
  }

  private String seconds() {
    BigDecimal exact =
        BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), 9));
    return exact.stripTrailingZeros().toPlainString() + " s";
  }
}
