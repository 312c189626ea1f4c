package dev.peregrine.server.config;

import dev.peregrine.base.Range;

/**
 * Limits on clients of HTTP/2, each with its unit and default; see {@link ServerLimits#http2}.
 *
 * @param streamsMax requests of a connection at a time, 100; a further one is refused, and a client
 *     may send it again. A request counts as long as its handler runs, also after the client has
 *     cancelled it
 * @param windowBytesMax bytes of content that a client may send for a request before the
 *     application has taken them, 1,048,576. A request begins with 65,535. This grows while the
 *     application takes all and the window is what limits the client. The requests of a connection
 *     share the growth: together they have 65,535 each, and this limit less 65,535 beyond that
 * @param floodPointsMax points that a connection may spend on frames that serve no request, 1,000;
 *     a fifth of them returns each second. Then the connection ends with ENHANCE_YOUR_CALM. A
 *     request that the client cancels costs 2, one that is refused 5, a fault that resets a stream
 *     10, SETTINGS 10 and each setting 1, CONTINUATION 10, PING 5, DATA without content 2, and 1
 *     each: PRIORITY, WINDOW_UPDATE beyond those for sent content, frames of ended streams, of
 *     unknown kinds, and with more padding than content. All connections of an event loop have 50
 *     times as many together; when they are spent, connections that have spent half of their own
 *     end
 */
public record Http2Limits(int streamsMax, int windowBytesMax, int floodPointsMax) {
  /** The limits of a server that sets none. */
  public static final Http2Limits DEFAULT =
      new Http2Limits(
          /* streamsMax= */ 100, /* windowBytesMax= */ 1024 * 1024, /* floodPointsMax= */ 1_000);

  private static final int WINDOW_INITIAL = 65_535;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming the limit that is out of range
   */
  public Http2Limits {
    Range.checkAtLeast("streamsMax", streamsMax, 1);
    Range.checkAtLeast("windowBytesMax", windowBytesMax, WINDOW_INITIAL);
    Range.checkAtLeast("floodPointsMax", floodPointsMax, 1);
  }

  /** Returns these limits with another one for {@link #streamsMax}. */
  public Http2Limits withStreamsMax(int value) {
    return new Http2Limits(value, windowBytesMax, floodPointsMax);
  }

  /** Returns these limits with another one for {@link #windowBytesMax}. */
  public Http2Limits withWindowBytesMax(int value) {
    return new Http2Limits(streamsMax, value, floodPointsMax);
  }

  /** Returns these limits with another one for {@link #floodPointsMax}. */
  public Http2Limits withFloodPointsMax(int value) {
    return new Http2Limits(streamsMax, windowBytesMax, value);
  }
}
