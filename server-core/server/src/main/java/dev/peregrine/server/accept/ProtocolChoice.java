package dev.peregrine.server.accept;

import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.loop.EventLoop;
import java.util.List;

/**
 * The protocol of an endpoint. If a client may choose among several, the choice is a protocol too:
 * it reads the facts that the layers provide, or the first bytes, and {@linkplain
 * dev.peregrine.server.connection.Connection#switchTo switches}.
 */
public @FunctionalInterface interface ProtocolChoice {
  /**
   * Returns the protocol of one event loop, which doesn't run yet.
   *
   * @param http the HTTP of that loop
   */
  Protocol on(EventLoop loop, Protocol http);

  /**
   * Returns the application protocols that an endpoint offers over TLS; all by default.
   *
   * @param offered those of its TLS, in the server's order
   * @throws IllegalArgumentException if it speaks none of them
   */
  default List<String> spoken(List<String> offered) {
    return offered;
  }
}
