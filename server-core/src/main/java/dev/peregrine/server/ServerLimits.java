package dev.peregrine.server;

import dev.peregrine.parser.ParserLimits;
import java.time.Duration;
import java.util.Objects;

/**
 * Everything that a client can make grow or last, and how far. Immutable; {@link #DEFAULT} with one
 * value changed is {@code ServerLimits.DEFAULT.withBodyBytesMax(1_000_000)}. The defaults are those
 * of Kestrel where it has the same limit.
 *
 * @param parser limits of the request head, of chunk extensions and trailers
 * @param bodyBytesMax largest request content in bytes, 30,000,000 by default; more is answered 413
 * @param requestHeadTime from a request's first byte to the end of its head, 30 s; more is answered
 *     408
 * @param keepAliveTime from a response to the next request's first byte, 130 s; then the connection
 *     is closed
 * @param dataRateMin bytes per second that a client has to send of its content and to take of a
 *     response, 240; 0 for no limit; slower content is answered 408, slower taking ends the
 *     connection
 * @param dataRateGrace how long a client may be slower than that, 5 s; or as long as {@code
 *     outboundHighWater} bytes may take at that rate, if it has sent so many quickly or so many
 *     wait for it
 * @param pipelinedBytesMax bytes that are received behind a request that is not yet answered,
 *     65,536; more waits with the client
 * @param outboundHighWater unsent bytes of a connection from which on nothing more is read or
 *     begun, 65,536
 * @param outboundLowWater unsent bytes below which it goes on, 32,768
 * @param drainBytesMax unwanted content that is read and discarded so as to keep the connection,
 *     65,536
 * @param lingerTime how long a client may take to close a connection that the server has ended, 2 s
 * @param lingerBytesMax how much it may still send meanwhile, 1,048,576
 * @param connectionsMax open connections, unlimited (0) by default; one more is answered 503
 * @param requestsPerConnectionMax requests of one connection, unlimited (0) by default; the last
 *     one is answered with {@code Connection: close}
 * @param loopBlockedTime how long a handler may keep its event loop before it is reported with its
 *     stack, 100 ms
 */
public record ServerLimits(
    ParserLimits parser,
    long bodyBytesMax,
    Duration requestHeadTime,
    Duration keepAliveTime,
    long dataRateMin,
    Duration dataRateGrace,
    int pipelinedBytesMax,
    int outboundHighWater,
    int outboundLowWater,
    int drainBytesMax,
    Duration lingerTime,
    int lingerBytesMax,
    int connectionsMax,
    int requestsPerConnectionMax,
    Duration loopBlockedTime) {

  /** The limits of a server that sets none. */
  public static final ServerLimits DEFAULT =
      new ServerLimits(
          ParserLimits.DEFAULT,
          30_000_000,
          Duration.ofSeconds(30),
          Duration.ofSeconds(130),
          240,
          Duration.ofSeconds(5),
          64 * 1024,
          64 * 1024,
          32 * 1024,
          64 * 1024,
          Duration.ofSeconds(2),
          1024 * 1024,
          0,
          0,
          Duration.ofMillis(100));

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming the limit that is out of range
   */
  public ServerLimits {
    Objects.requireNonNull(parser);
    requireAtLeast("bodyBytesMax", bodyBytesMax, 0);
    requirePositive("requestHeadTime", requestHeadTime);
    requirePositive("keepAliveTime", keepAliveTime);
    requireAtLeast("dataRateMin", dataRateMin, 0);
    requirePositive("dataRateGrace", dataRateGrace);
    requireAtLeast("pipelinedBytesMax", pipelinedBytesMax, 1);
    requireAtLeast("outboundLowWater", outboundLowWater, 1);
    requireAtLeast("outboundHighWater", outboundHighWater, outboundLowWater);
    requireAtLeast("drainBytesMax", drainBytesMax, 0);
    requirePositive("lingerTime", lingerTime);
    requireAtLeast("lingerBytesMax", lingerBytesMax, 0);
    requireAtLeast("connectionsMax", connectionsMax, 0);
    requireAtLeast("requestsPerConnectionMax", requestsPerConnectionMax, 0);
    requirePositive("loopBlockedTime", loopBlockedTime);
  }

  /** These limits with another {@link #parser}. */
  public ServerLimits withParser(ParserLimits value) {
    return new ServerLimits(
        value,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #bodyBytesMax}. */
  public ServerLimits withBodyBytesMax(long value) {
    return new ServerLimits(
        parser,
        value,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #requestHeadTime}. */
  public ServerLimits withRequestHeadTime(Duration value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        value,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #keepAliveTime}. */
  public ServerLimits withKeepAliveTime(Duration value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        value,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #dataRateMin}. */
  public ServerLimits withDataRateMin(long value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        value,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #dataRateGrace}. */
  public ServerLimits withDataRateGrace(Duration value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        value,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #pipelinedBytesMax}. */
  public ServerLimits withPipelinedBytesMax(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        value,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #outboundHighWater}. */
  public ServerLimits withOutboundHighWater(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        value,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #outboundLowWater}. */
  public ServerLimits withOutboundLowWater(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        value,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #drainBytesMax}. */
  public ServerLimits withDrainBytesMax(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        value,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #lingerTime}. */
  public ServerLimits withLingerTime(Duration value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        value,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #lingerBytesMax}. */
  public ServerLimits withLingerBytesMax(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        value,
        connectionsMax,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #connectionsMax}. */
  public ServerLimits withConnectionsMax(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        value,
        requestsPerConnectionMax,
        loopBlockedTime);
  }

  /** These limits with another {@link #requestsPerConnectionMax}. */
  public ServerLimits withRequestsPerConnectionMax(int value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        value,
        loopBlockedTime);
  }

  /** These limits with another {@link #loopBlockedTime}. */
  public ServerLimits withLoopBlockedTime(Duration value) {
    return new ServerLimits(
        parser,
        bodyBytesMax,
        requestHeadTime,
        keepAliveTime,
        dataRateMin,
        dataRateGrace,
        pipelinedBytesMax,
        outboundHighWater,
        outboundLowWater,
        drainBytesMax,
        lingerTime,
        lingerBytesMax,
        connectionsMax,
        requestsPerConnectionMax,
        value);
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be at least " + least);
    }
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be positive");
    }
  }
}
