package dev.peregrine.http;

/** Ways to run a handler. */
public final class Handlers {
  private Handlers() {}

  /**
   * A handler that runs on a virtual thread of its own, where it may block: read {@link
   * RequestBody#inputStream}, write {@link Response#outputStream}, call a database. When the
   * handler returns, the response must be complete, have an open output stream, which is closed
   * then, or be {@linkplain Response#send(java.util.concurrent.Flow.Publisher) a publisher's}:
   * {@link Response#async()} does not let it be completed later. The thread is named after the
   * event loop, with {@code -handler} at its end. The handler may take any time.
   */
  public static Handler blocking(Handler handler) {
    return new BlockingHandler(handler);
  }
}
