package dev.peregrine.http.context;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import org.jspecify.annotations.Nullable;

/** Calls handlers in a {@link CallContext}. */
public final class InContext {
  private static final AttributeKey<CallContext> CONTEXT = AttributeKey.of("call context");

  private InContext() {}

  /**
   * Calls a handler in a context, with a request and a response whose callbacks run in it.
   *
   * @throws Exception what the handler throws
   */
  public static void handle(
      CallContext context, Handler handler, Request request, Response response) throws Exception {
    ContextRequest inner = new ContextRequest(request, context);
    ContextResponse answer = new ContextResponse(response, context);
    CallContext outer = of(request);
    Request ignored =
        request.attribute(
            CONTEXT, outer == null ? context : call -> outer.run(() -> context.run(call)));
    context.run(() -> handler.handle(inner, answer));
  }

  /**
   * Returns the context of the calls for an exchange, for adapters that call the application on
   * threads of their own; null for none. It is the innermost with those around it.
   */
  public static @Nullable CallContext of(Request request) {
    return request.attribute(CONTEXT);
  }
}
