package dev.peregrine.server.observe;

/** How a handler ran. */
public enum RunMode {
  /** On the event loop. */
  LOOP,

  /** On a virtual thread, by {@code Handlers.blocking}. */
  BLOCKING,

  /** It completed its response later, after {@code Response.async}. */
  ASYNC
}
