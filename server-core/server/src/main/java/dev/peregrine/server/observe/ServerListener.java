package dev.peregrine.server.observe;

import java.util.List;

/**
 * Observes a server with one listener for each event loop; see {@code
 * HttpServerBuilder.serverListener}. An {@link ExchangeListener} that is added to the builder is
 * called by all loops instead.
 */
public interface ServerListener {
  /**
   * A server is about to start. Called on the thread that starts it, before its event loops run. If
   * this throws, the server does not start.
   *
   * @param name the name of the server
   * @param loops the facts of its event loops
   * @return a listener for each loop, in the order of {@code loops}
   */
  List<? extends LoopListener> onStart(String name, List<LoopInfo> loops);

  /**
   * The server is closing. Called once, before its last connections are closed; also if the server
   * fails to start after {@link #onStart} has returned. An exception is logged and has no other
   * effect.
   */
  default void onEnd() {}
}
