package dev.peregrine.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
    BlockingRun blocking = new BlockingRun();
    request.attribute(Handlers.BLOCKING, blocking);
    response.async(Duration.ZERO); // a handler that runs isn't forgotten
    response.async(() -> start(request, response, blocking));
  }

  /** Returns a stage that completes when the handler has returned or thrown. */
  private CompletionStage<?> start(Request request, Response response, BlockingRun blocking) {
    CompletableFuture<Void> returned = new CompletableFuture<>();
    String caller = Thread.currentThread().getName(); // an event loop's, which names the server
    Thread.ofVirtual()
        .name(caller + "-handler")
        .start(
            () -> {
              blocking.start();
              run(request, response, returned);
            });
    return returned;
  }

  private void run(Request request, Response response, CompletableFuture<Void> returned) {
    try {
      BlockingResponse watched = new BlockingResponse(response);
      handler.handle(request, watched);
      if (!watched.isLater()) {
        response.complete();
      }
    } catch (Throwable failure) {
      fail(returned, failure);
      return;
    }
    returned.complete(null);
  }

  /** Fails a stage; if there is no memory for that, completes it, so that its work still ends. */
  private static void fail(CompletableFuture<Void> stage, Throwable failure) {
    try {
      stage.completeExceptionally(failure);
    } catch (Throwable noMemory) {
      stage.complete(null);
    }
  }
}
