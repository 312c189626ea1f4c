package dev.peregrine.http;

import java.util.Set;

/**
 * Responds to requests. Applications implement this:
 *
 * <pre>{@code
 * Handler hello = (request, response) -> response.text("Hello");
 * }</pre>
 *
 * <p>A handler runs on the event loop of the request's connection and must not block: while it
 * runs, every other connection of that loop waits. Wrap it with {@link Handlers#blocking} to run it
 * on a virtual thread instead, or call {@link Response#async} and complete the response later from
 * any thread. One handler serves many connections concurrently, so it must be thread-safe.
 */
@FunctionalInterface
public interface Handler {
  /**
   * Responds to one request. On return the response must be complete, or the handler must have
   * called {@link Response#async} or one of the non-blocking methods of {@link RequestBody}, in
   * order to complete it later. Otherwise the server sends 500.
   *
   * @param request the client's request; belongs to the exchange and ends with it
   * @param response the response to be completed; belongs to the exchange and ends with it
   * @throws Exception any exception; it is logged once. The client gets 500 if nothing has been
   *     sent yet. Otherwise the response is cut short, so that the client sees that it is
   *     incomplete
   */
  void handle(Request request, Response response) throws Exception;

  /**
   * Returns the methods that this handler supports, where GET includes HEAD; empty, the default,
   * for all methods. {@code Routes} read this once for a route without a method, which then has
   * these methods only. Other methods reach less specific routes, or 405 with {@code Allow}. A
   * wrapper returns the methods of the handler inside.
   */
  default Set<String> methods() {
    return Set.of();
  }
}
