package dev.peregrine.jdk.httpserver;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import java.lang.invoke.MethodHandles;
import java.util.List;

/**
 * Loads what the first request needs while the server starts, because the event loop would load it
 * otherwise. Under an agent that rewrites classes that takes hundreds of milliseconds.
 */
final class FirstRequest {
  private static final List<Class<?>> CLASSES =
      List.of(
          RequestTarget.class,
          ExchangeCore.class,
          ExchangeRun.class,
          PlainExchange.class,
          RequestInput.class,
          ResponseOutput.class,
          ResponseFields.class,
          Filter.Chain.class,
          Headers.class);

  private FirstRequest() {}

  /** Loads the classes on a thread of its own, of the kind that handlers get. */
  static void prepare() {
    Thread ignored = Thread.ofVirtual().name("jdk-httpserver-start").start(FirstRequest::load);
  }

  private static void load() {
    for (Class<?> one : CLASSES) {
      try {
        Class<?> ignored = MethodHandles.lookup().ensureInitialized(one);
      } catch (IllegalAccessException notOurs) {
        // it is loaded at least
      }
    }
  }
}
