package dev.peregrine.server.accept;

import dev.peregrine.base.Range;

/**
 * The options that every kind of endpoint has. Immutable.
 *
 * @param backlog connections that the system holds before they are accepted, at least 1
 * @param connectionsMax limit of open connections of the endpoint; 0 for none
 * @param stack its layers and its protocol
 */
public record EndpointOptions(int backlog, int connectionsMax, EndpointStack stack) {
  public static final int BACKLOG_DEFAULT = 1024;

  /** The options of an endpoint that nothing was set for. */
  public static final EndpointOptions DEFAULT =
      new EndpointOptions(BACKLOG_DEFAULT, 0, EndpointStack.HTTP);

  public EndpointOptions {
    Range.checkAtLeast("backlog", backlog, 1);
    Range.checkAtLeast("connectionsMax", connectionsMax, 0);
  }

  public EndpointOptions withBacklog(int count) {
    return new EndpointOptions(count, connectionsMax, stack);
  }

  public EndpointOptions withConnectionsMax(int count) {
    return new EndpointOptions(backlog, count, stack);
  }

  public EndpointOptions withStack(EndpointStack other) {
    return new EndpointOptions(backlog, connectionsMax, other);
  }

  /**
   * Returns these options for a server without HTTP/2.
   *
   * @throws UnsupportedOperationException if the endpoint speaks nothing else
   */
  public EndpointOptions withoutHttp2() {
    if (stack.protocol() == HttpChoice.HTTP_2) {
      throw new UnsupportedOperationException(
          "an endpoint speaks only HTTP/2, but the server is built without it: with(Http2.create())");
    }
    return stack.protocol() == HttpChoice.ALL ? withStack(stack.speaking(HttpChoice.HTTP_1)) : this;
  }
}
