package dev.peregrine.http;

/**
 * Marks a handler that the server runs on a virtual thread; made by {@link Handlers#blocking}.
 *
 * @param handler what runs there
 */
record BlockingHandler(HttpHandler handler) implements HttpHandler {
  @Override
  public void handle(HttpRequest request, HttpResponse response) {
    response.async();
    String caller = Thread.currentThread().getName(); // an event loop's, which names the server
    Thread.ofVirtual().name(caller + "-handler").start(() -> run(request, response));
  }

  private void run(HttpRequest request, HttpResponse response) {
    try {
      handler.handle(request, response);
      response.end();
    } catch (Throwable failure) {
      response.fail(failure);
    }
  }
}
