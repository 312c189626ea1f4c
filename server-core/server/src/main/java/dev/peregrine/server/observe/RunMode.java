package dev.peregrine.server.observe;

/** The ways in which a handler runs. */
public enum RunMode {
  /** On the event loop. */
  LOOP,

  /** On a virtual thread, by {@code Handlers.blocking}. */
  BLOCKING,

  /** On the event loop, with the response completed later, after {@code Response.async}. */
  ASYNC
}
