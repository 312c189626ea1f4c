package dev.peregrine.server;

import dev.peregrine.server.connection.Protocol;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.loop.EventLoop;

/**
 * The protocol of an endpoint. If a client may choose among several, the choice is a protocol too:
 * it reads the facts that the layers provide, or the first bytes, and {@linkplain
 * dev.peregrine.server.connection.Connection#switchTo switches}.
 */
@FunctionalInterface
interface ProtocolChoice {
  /** HTTP, with the server's handler. */
  ProtocolChoice HTTP = (loop, http) -> http;

  /** HTTP/1 alone. */
  ProtocolChoice HTTP_1 = (loop, http) -> ((Http1) http).alone();

  /** HTTP/2 alone. */
  ProtocolChoice HTTP_2 = (loop, http) -> ((Http1) http).doorOnly();

  /**
   * Returns the protocol of one event loop, which doesn't run yet.
   *
   * @param http the HTTP of that loop
   */
  Protocol on(EventLoop loop, Protocol http);
}
