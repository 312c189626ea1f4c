package dev.peregrine.http;

/** Ways to run a handler. */
public final class Handlers {
  /** Attached to the requests of handlers that {@link #blocking} runs. */
  public static final AttributeKey<BlockingRun> BLOCKING = AttributeKey.of("blocking");

  private Handlers() {}

  /**
   * Returns a handler that runs on a virtual thread for each request, where it may block: read
   * {@link RequestBody#inputStream}, write {@link Response#outputStream}, call a database. When the
   * handler returns, the response must be complete, have an open output stream, which is closed
   * then, or be sent by {@linkplain Response#send(java.util.concurrent.Flow.Publisher) a
   * publisher}. After {@link Response#async()} it may also be completed later, on any thread. The
   * thread has the name of the event loop with {@code -handler} at its end. The handler may take
   * any time. Within another such handler it would get a thread of its own, which begins when the
   * other one has returned, so call an unwrapped handler there.
   */
  public static Handler blocking(Handler handler) {
    return new BlockingHandler(handler);
  }
}
