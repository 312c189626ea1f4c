package dev.peregrine.server;

import dev.peregrine.server.accept.EndpointOptions;

/** The options of an endpoint, for tests of what serves them. */
public final class EndpointProbe {
  private EndpointProbe() {}

  /** Returns the options. */
  public static EndpointOptions options(Endpoint endpoint) {
    return endpoint.options();
  }
}
