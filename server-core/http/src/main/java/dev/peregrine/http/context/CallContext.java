package dev.peregrine.http.context;

import dev.peregrine.http.Response;

/**
 * Surrounds each call of application code for one exchange: the handler, on the event loop or the
 * virtual thread of {@code Handlers.blocking}, and every callback that it gives to its request or
 * response. So what a thread-local variable or a {@link ScopedValue} holds is there in each of
 * them, and gone between them, when the loop serves other exchanges.
 *
 * <pre>{@code
 * Handler withTenant =
 *     (request, response) -> {
 *       Tenant tenant = tenantOf(request);
 *       CallContext context = call -> ScopedValue.where(TENANT, tenant).call(call::callable);
 *       InContext.handle(context, handler, request, response);
 *     };
 * }</pre>
 *
 * <p>It ends with the exchange: the listeners of a WebSocket, of an upgrade and of a tunnel are
 * called without it, because they may outlive the request by hours. Threads that the application
 * starts, and stages of its own futures, are called without it too.
 *
 * <p>Calls of one exchange never overlap on a thread. They may on several, if the handler passes
 * the response on ({@link Response#async()}).
 */
@FunctionalInterface
public interface CallContext {
  /** A call of application code. */
  @FunctionalInterface
  interface Call {
    /**
     * Calls the application's code.
     *
     * @throws Exception what that throws
     */
    void run() throws Exception;

    /** Like {@link #run}, for {@link ScopedValue.Carrier#call}; returns true. */
    default boolean callable() throws Exception {
      run();
      return true;
    }
  }

  /**
   * Runs a call on this thread, once, with the context around it.
   *
   * @throws Exception what the call throws, and only that
   */
  void run(Call call) throws Exception;
}
