package dev.peregrine.server.http2.flow;

import dev.peregrine.base.PointBudget;

/**
 * The frames that a client may send although they make work and serve no request. Each kind has a
 * weight; the points return with time, and with requests that are served. One per connection, and a
 * larger one for all connections of an event loop.
 */
public final class FloodBudget extends PointBudget {
  // Weights. A browser that leaves a page cancels its requests, and one that shows a map cancels
  // some for each movement, so hundreds of cancellations at a time are usual; the other kinds are
  // rare.
  public static final int CANCELLED = 2; // RST_STREAM of a stream whose response isn't complete
  public static final int FAULT = 10; // a fault that made the server reset a stream
  public static final int REFUSED = 5; // a stream above the limit
  public static final int LATE_FRAME = 1; // on a stream that has ended
  public static final int EMPTY_DATA = 2;
  public static final int PADDING = 1; // DATA with more padding than content
  public static final int CONTINUATION = 10;
  public static final int PING = 5;
  public static final int SETTINGS = 10;
  public static final int SETTING = 1;
  public static final int PRIORITY = 1;
  public static final int WINDOW = 1; // of a client that has no content to take
  public static final int UNKNOWN = 1;

  /** The points that a request returns once it is served. */
  public static final int SERVED = 5;

  /** The connections whose points together are those of their event loop. */
  public static final int CONNECTIONS_OF_LOOP = 50;

  public FloodBudget(long pointsMax, long nowNanos) {
    super(pointsMax, nowNanos);
  }
}
