package dev.peregrine.spring.boot;

import dev.peregrine.server.HttpServerBuilder;

/**
 * Changes the options of a server before each of its starts. A bean of this type is applied to the
 * server of the application, and not to a separate one for its management.
 *
 * <pre>{@code
 * @Bean
 * PeregrineServerCustomizer name() {
 *   return builder -> builder.name("shop");
 * }
 * }</pre>
 */
@FunctionalInterface
public interface PeregrineServerCustomizer {
  /**
   * Changes the options. Called on the thread that starts the server, after the options of the
   * factory were set, so that these can be replaced. An endpoint is added to those of the factory;
   * {@code port}, {@code host} and other options of a single endpoint can't be used beside them.
   */
  void customize(HttpServerBuilder builder);

  /**
   * Releases what {@link #customize} has opened. Called once for each call of it: when the server
   * has ended, or failed to start.
   */
  default void onStopped() {}
}
