package dev.peregrine.server;

import dev.peregrine.server.connection.ConnectionLimits;
import dev.peregrine.server.http1.Http1Options;

/** Lets benchmarks set loops up as a server does that sets no options. */
public final class OptionsAccess {
  private OptionsAccess() {}

  /** What such a server tells the protocol. */
  public static Http1Options http1() {
    return HttpServer.builder().options().http1();
  }

  /** What such a server tells its connections. */
  public static ConnectionLimits connections() {
    return HttpServer.builder().options().connections();
  }
}
