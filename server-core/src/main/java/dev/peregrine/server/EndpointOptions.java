package dev.peregrine.server;

import dev.peregrine.base.Range;

/**
 * The options that every kind of endpoint has. Immutable.
 *
 * @param backlog connections that the system holds before they are accepted, at least 1
 * @param connectionsMax limit of open connections of the endpoint; 0 for none
 * @param stack its layers and its protocol
 */
record EndpointOptions(int backlog, int connectionsMax, EndpointStack stack) {
  static final int BACKLOG_DEFAULT = 1024;

  /** The options of an endpoint that nothing was set for. */
  static final EndpointOptions DEFAULT =
      new EndpointOptions(BACKLOG_DEFAULT, 0, EndpointStack.HTTP);

  EndpointOptions {
    Range.checkAtLeast("backlog", backlog, 1);
    Range.checkAtLeast("connectionsMax", connectionsMax, 0);
  }

  EndpointOptions withBacklog(int count) {
    return new EndpointOptions(count, connectionsMax, stack);
  }

  EndpointOptions withConnectionsMax(int count) {
    return new EndpointOptions(backlog, count, stack);
  }

  EndpointOptions withStack(EndpointStack other) {
    return new EndpointOptions(backlog, connectionsMax, other);
  }
}
