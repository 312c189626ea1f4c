package dev.peregrine.http;

import java.util.Set;

/**
 * Marks a handler that the server runs on a virtual thread; created by {@link Handlers#blocking}.
 *
 * @param handler runs there
 */
record BlockingHandler(Handler handler) implements Handler {
  @Override
  public Set<String> methods() {
    return handler.methods();
  }

  @Override
  public void handle(Request request, Response response) {
    BlockingCall call = new BlockingCall(handler, request, response);
    request.attribute(Handlers.BLOCKING, call);
    response.async(call);
  }
}
