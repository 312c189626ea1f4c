package dev.peregrine.server.config;

import dev.peregrine.base.Range;
import java.time.Duration;

/**
 * Limits on WebSockets, each with its unit and default; see {@link ServerLimits#webSocket}.
 *
 * @param messageBytesMax bytes of a message that is delivered whole, after decompression,
 *     1,048,576; a longer one closes the socket with 1009
 * @param pingInterval time without bytes from the client after which it is sent a ping, 30 seconds;
 *     zero for never
 * @param idleTime time without bytes from the client after which the connection is cut, 2 minutes;
 *     zero for never
 * @param closeTime time from the server's close frame to the client's, and then to the end of the
 *     connection, 5 seconds each
 * @param floodPointsMax points that a socket may spend on frames without content, 1,000; a fifth of
 *     them returns each second. A ping, a pong or a fragment without content costs 1. Then the
 *     socket is closed with 1008
 * @param unsentBytesMax bytes of messages that may wait for a client, 16,777,216; a message that
 *     another thread sends counts 64 bytes more. One that is sent while more wait ends the
 *     connection with a reset
 * @param compressionBytesMax bytes of native memory for the contexts of compressed sockets of the
 *     server, 67,108,864. When they are spent, further sockets are compressed without contexts
 */
public record WebSocketLimits(
    int messageBytesMax,
    Duration pingInterval,
    Duration idleTime,
    Duration closeTime,
    int floodPointsMax,
    long unsentBytesMax,
    long compressionBytesMax) {
  /** The limits of a server that sets none. */
  public static final WebSocketLimits DEFAULT =
      new WebSocketLimits(
          /* messageBytesMax= */ 1024 * 1024,
          /* pingInterval= */ Duration.ofSeconds(30),
          /* idleTime= */ Duration.ofMinutes(2),
          /* closeTime= */ Duration.ofSeconds(5),
          /* floodPointsMax= */ 1_000,
          /* unsentBytesMax= */ 16 * 1024 * 1024,
          /* compressionBytesMax= */ 64 * 1024 * 1024);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming the limit that is out of range
   */
  public WebSocketLimits {
    Range.checkAtLeast("messageBytesMax", messageBytesMax, 1);
    Range.checkNotNegative("pingInterval", pingInterval);
    Range.checkNotNegative("idleTime", idleTime);
    Range.checkPositive("closeTime", closeTime);
    Range.checkAtLeast("floodPointsMax", floodPointsMax, 1);
    Range.checkAtLeast("unsentBytesMax", unsentBytesMax, 1);
    Range.checkAtLeast("compressionBytesMax", compressionBytesMax, 0);
  }

  /** Returns these limits with another one for {@link #messageBytesMax}. */
  public WebSocketLimits withMessageBytesMax(int value) {
    return new WebSocketLimits(
        value,
        pingInterval,
        idleTime,
        closeTime,
        floodPointsMax,
        unsentBytesMax,
        compressionBytesMax);
  }

  /** Returns these limits with another one for {@link #pingInterval}. */
  public WebSocketLimits withPingInterval(Duration value) {
    return new WebSocketLimits(
        messageBytesMax,
        value,
        idleTime,
        closeTime,
        floodPointsMax,
        unsentBytesMax,
        compressionBytesMax);
  }

  /** Returns these limits with another one for {@link #idleTime}. */
  public WebSocketLimits withIdleTime(Duration value) {
    return new WebSocketLimits(
        messageBytesMax,
        pingInterval,
        value,
        closeTime,
        floodPointsMax,
        unsentBytesMax,
        compressionBytesMax);
  }

  /** Returns these limits with another one for {@link #closeTime}. */
  public WebSocketLimits withCloseTime(Duration value) {
    return new WebSocketLimits(
        messageBytesMax,
        pingInterval,
        idleTime,
        value,
        floodPointsMax,
        unsentBytesMax,
        compressionBytesMax);
  }

  /** Returns these limits with another one for {@link #floodPointsMax}. */
  public WebSocketLimits withFloodPointsMax(int value) {
    return new WebSocketLimits(
        messageBytesMax,
        pingInterval,
        idleTime,
        closeTime,
        value,
        unsentBytesMax,
        compressionBytesMax);
  }

  /** Returns these limits with another one for {@link #unsentBytesMax}. */
  public WebSocketLimits withUnsentBytesMax(long value) {
    return new WebSocketLimits(
        messageBytesMax,
        pingInterval,
        idleTime,
        closeTime,
        floodPointsMax,
        value,
        compressionBytesMax);
  }

  /** Returns these limits with another one for {@link #compressionBytesMax}. */
  public WebSocketLimits withCompressionBytesMax(long value) {
    return new WebSocketLimits(
        messageBytesMax, pingInterval, idleTime, closeTime, floodPointsMax, unsentBytesMax, value);
  }
}
