package dev.peregrine.http.context;

import java.util.Objects;
import java.util.function.Consumer;

/** Callbacks that run in a context. */
final class ContextCallbacks {
  private ContextCallbacks() {}

  static Runnable in(CallContext context, Runnable callback) {
    Objects.requireNonNull(callback, "callback");
    return () -> run(context, callback::run);
  }

  static <T> Consumer<T> in(CallContext context, Consumer<? super T> callback) {
    Objects.requireNonNull(callback, "callback");
    return value -> run(context, () -> callback.accept(value));
  }

  /** Runs a call that declares no exception. */
  static void run(CallContext context, CallContext.Call call) {
    try {
      context.run(call);
    } catch (Exception thrown) {
      ContextCallbacks.<RuntimeException>raise(thrown);
    }
  }

  @SuppressWarnings("unchecked") // what the callback has thrown, which may be undeclared as well
  private static <T extends Exception> void raise(Exception thrown) throws T {
    throw (T) thrown;
  }
}
