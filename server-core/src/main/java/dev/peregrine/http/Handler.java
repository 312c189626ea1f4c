package dev.peregrine.http;

import java.util.Set;

/**
 * Answers requests. This is what an application writes:
 *
 * <pre>{@code
 * Handler hello = (request, response) -> response.text("Hello");
 * }</pre>
 *
 * <p>A handler runs on the event loop of the request's connection and must not block: while it
 * runs, every other connection of that loop waits. Wrap it with {@link Handlers#blocking} to run it
 * on a virtual thread instead, or call {@link Response#async} and finish the response later from
 * any thread. One handler serves many connections at a time, so it has to be thread-safe.
 */
@FunctionalInterface
public interface Handler {
  /**
   * Answers one request. On return the response must be complete, or the handler must have said
   * that it will be completed later: by {@link Response#async}, or by asking for the request body
   * in one of the non-blocking ways of {@link RequestBody}. Otherwise the server answers 500.
   *
   * @param request what the client asked; belongs to the exchange and ends with it
   * @param response what the client is answered; belongs to the exchange and ends with it
   * @throws Exception anything: the client is answered 500 if nothing has been sent yet, else the
   *     response ends before its end, so that the client sees that it is incomplete; it is logged
   *     once
   */
  void handle(Request request, Response response) throws Exception;

  /**
   * Returns the methods that this handler answers, GET standing for HEAD too; empty, the default,
   * if it answers every method. {@code Routes} read this once, where no method is given: a route
   * for any method is then one for these, and other methods reach less specific routes, or 405 with
   * {@code Allow}. A handler that wraps another returns what that one does.
   */
  default Set<String> methods() {
    return Set.of();
  }
}
