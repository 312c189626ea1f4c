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
    BlockingRun run = new BlockingRun();
    request.attribute(Handlers.BLOCKING, run);
    response.async(new BlockingCall(handler, request, response, run));
  }
}
