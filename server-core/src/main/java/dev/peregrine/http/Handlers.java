package dev.peregrine.http;

/** Ways to run a handler. */
public final class Handlers {
  private Handlers() {}

  /**
   * A handler that runs on a virtual thread of its own, where it may block: read {@link
   * RequestBody#inputStream}, write {@link HttpResponse#outputStream}, call a database. The
   * response need not be complete when it returns normally with an open output stream: the stream
   * is closed then. The thread is named after the event loop, with {@code -handler} at its end. is
   * closed then. It has to be complete or open when the handler returns: {@link
   * HttpResponse#async()} does not let it be completed later.
   */
  public static HttpHandler blocking(HttpHandler handler) {
    return new BlockingHandler(handler);
  }
}
