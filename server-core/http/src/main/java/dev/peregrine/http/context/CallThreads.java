package dev.peregrine.http.context;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Request;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Virtual threads for adapters whose application may block. */
public final class CallThreads {
  /** The executor of threads that the event loop of a request carries, attached by the server. */
  public static final AttributeKey<Executor> CARRIED = AttributeKey.of("carried threads");

  private CallThreads() {}

  /**
   * Returns an executor that runs each task on a virtual thread of its own, where it may block for
   * any time. Like a handler of {@code Handlers.blocking}, a task runs on the event loop of its
   * connection where the JVM allows that; otherwise the JDK's scheduler runs it. What a task throws
   * is passed to the {@link Thread.UncaughtExceptionHandler} of its thread.
   *
   * <p>The executor may be used on any thread, also after the end of the exchange, of its
   * connection and of the server. It takes no part in the exchange: the exchange must be
   * {@linkplain dev.peregrine.http.Response#async async} if a task uses it, and ends without
   * waiting for tasks. Tasks run without the {@link CallContext} of the exchange, which {@link
   * InContext#of} returns.
   *
   * @param request in its handler, or after {@code async} anywhere
   */
  public static Executor of(Request request) {
    Executor carried = request.attribute(CARRIED);
    return carried == null ? OfTheJdk.EXECUTOR : carried;
  }

  /** Loaded only if it is needed. */
  private static final class OfTheJdk {
    static final Executor EXECUTOR =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("peregrine-call-", 0).factory());
  }
}
