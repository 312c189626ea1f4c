package dev.peregrine.testing;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.util.concurrent.CompletableFuture;

/** Blocking handlers for tests that hold their event loop, on which they would run otherwise. */
public final class OwnThread {
  private OwnThread() {}

  /** Like {@link Handlers#blocking}, but the event loop never carries the handler's thread. */
  public static Handler blocking(Handler handler) {
    Handler blocking = Handlers.blocking(handler);
    return (request, response) ->
        response.async(() -> CompletableFuture.runAsync(() -> call(blocking, request, response)));
  }

  private static void call(Handler handler, Request request, Response response) {
    try {
      handler.handle(request, response);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }
}
