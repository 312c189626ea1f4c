package dev.peregrine.server.config;

import dev.peregrine.base.Range;
import dev.peregrine.parser.ParserLimits;
import java.time.Duration;
import java.util.Objects;

/**
 * The limits of everything that a client can make grow or last. Immutable. The defaults are those
 * of Kestrel where it has the same limit. Times are judged about once a second, or four times
 * within the shortest of them. The time in which an event loop is stalled doesn't count. No time
 * may be above 36,500 days.
 *
 * <pre>{@code
 * ServerLimits limits = ServerLimits.builder().bodyBytesMax(1_000_000).build();
 * }</pre>
 *
 * @param parser limits of the request head, of chunk extensions and trailers
 * @param bodyBytesMax largest request content in bytes, 30,000,000 by default; more gets 413
 * @param requestHeadTime from a request's first byte to the end of its head, 30 s; more gets 408
 * @param keepAliveTime from a response to the next request's first byte, 130 s; then the connection
 *     is closed
 * @param requestBytesPerSecondMin bytes per second of its content that a client must send, 240; 0
 *     for no limit; slower content gets 408. The clock runs while the content is read. Every byte
 *     adds the time that it may take at this rate; at most 65,536 bytes count ahead
 * @param requestRateGrace the time that a client has at least, whenever the server begins to read
 *     its content, 5 s
 * @param responseBytesPerSecondMin bytes per second of a response that a client must receive, 240;
 *     0 for no limit; a slower client's connection is reset. The clock runs while bytes wait that
 *     the socket doesn't take. Every byte adds the time that it may take at this rate, as soon as
 *     the client's system acknowledges it; at most 524,288 bytes count ahead. With {@code
 *     java.nio}, which doesn't report acknowledgements, 524,288 bytes count at the beginning, and
 *     then every byte that the socket takes
 * @param responseRateGrace the time that a client has at least, whenever bytes begin to wait, 5 s
 * @param responseBeginTime how long the server waits for the begin of a response that the
 *     application makes later ({@code Response.async}), 5 min; then the client gets 503. Time in
 *     which the request's content is received doesn't count. Zero for no limit; {@code
 *     Response.async(Duration)} sets another one for one response
 * @param pipelinedBytesMax bytes that are received after a request without a response, 65,536; the
 *     connection isn't read beyond that
 * @param outboundHighWater unsent bytes of a connection from which on it isn't read and no request
 *     begins, 65,536
 * @param outboundLowWater unsent bytes below which it continues, 32,768
 * @param drainBytesMax bytes of unread content that are discarded to keep the connection, 65,536;
 *     with more it closes
 * @param lingerTime how long a client may take to close a connection that the server has ended, 2
 *     s; longer while it acknowledges the rest of the response at the rate above, if the transport
 *     reports that
 * @param lingerBytesMax bytes that it may still send in that time, 1,048,576
 * @param shutdownIdleTime how long {@code HttpServer.shutdown} waits for a request on a connection
 *     without one, 1 s; at most a quarter of the time of the shutdown
 * @param connectionsMax open connections, unlimited (0) by default; one more gets 503. On Linux the
 *     server never admits more than the process's limit of open files (RLIMIT_NOFILE) allows, less
 *     the files that are open and a reserve, and logs a warning if that is below this limit. A
 *     connection above that takes the place of the one that has been idle for longest, and gets 503
 *     if none is idle
 * @param requestsPerConnectionMax requests of one connection, unlimited (0) by default; the last
 *     response has {@code Connection: close}, and HTTP/2 sends GOAWAY
 * @param handshakeTime from the accept of a connection to the end of its TLS handshake, 10 s; then
 *     it is closed
 * @param handshakesMax TLS handshakes under way at a time on each event loop, 2,000; one more is
 *     closed at once
 * @param proxyHeaderTime from the accept of a connection to the end of its PROXY protocol header, 5
 *     s; then it is closed. Only on endpoints that require the header
 * @param proxyHeaderBytesMax largest length of a header of version 2 in bytes, 4,096; 536 to
 *     65,551. A longer one closes the connection. A header of version 1 has at most 107 bytes
 * @param http2 limits on clients of HTTP/2, {@link Http2Limits#DEFAULT}
 * @param webSocket limits on WebSockets, {@link WebSocketLimits#DEFAULT}
 * @param loopBlockedTime how long a handler may keep its event loop before it is reported with its
 *     stack, 100 ms
 * @param leftHandlersMax how many handlers of the server may run at a time on threads that another
 *     one has relieved, because they have kept their event loop for some milliseconds, 256; the
 *     next one keeps its loop. 0 keeps every handler on its loop
 * @param retainedBytesMax received bytes that the application may retain at a time on each event
 *     loop ({@code Bytes.retain}), 67,108,864, which is twice the largest content and more; the
 *     next {@code retain} throws, and its client gets 503. A block that isn't copied counts whole,
 *     and every call counts 256 bytes for its objects. 0 lets nothing be retained
 */
public record ServerLimits(
    ParserLimits parser,
    long bodyBytesMax,
    Duration requestHeadTime,
    Duration keepAliveTime,
    long requestBytesPerSecondMin,
    Duration requestRateGrace,
    long responseBytesPerSecondMin,
    Duration responseRateGrace,
    Duration responseBeginTime,
    int pipelinedBytesMax,
    int outboundHighWater,
    int outboundLowWater,
    int drainBytesMax,
    Duration lingerTime,
    int lingerBytesMax,
    Duration shutdownIdleTime,
    int connectionsMax,
    int requestsPerConnectionMax,
    Duration handshakeTime,
    int handshakesMax,
    Duration proxyHeaderTime,
    int proxyHeaderBytesMax,
    Http2Limits http2,
    WebSocketLimits webSocket,
    Duration loopBlockedTime,
    int leftHandlersMax,
    long retainedBytesMax) {

  /** The length that every sender may use, because it fits into the smallest TCP segment. */
  private static final int PROXY_HEADER_BYTES_LEAST = 536;

  private static final int PROXY_HEADER_BYTES_MOST = 16 + 0xFFFF;

  /** The limits of a server that sets none. */
  public static final ServerLimits DEFAULT =
      new ServerLimits(
          /* parser= */ ParserLimits.DEFAULT,
          /* bodyBytesMax= */ 30_000_000,
          /* requestHeadTime= */ Duration.ofSeconds(30),
          /* keepAliveTime= */ Duration.ofSeconds(130),
          /* requestBytesPerSecondMin= */ 240,
          /* requestRateGrace= */ Duration.ofSeconds(5),
          /* responseBytesPerSecondMin= */ 240,
          /* responseRateGrace= */ Duration.ofSeconds(5),
          /* responseBeginTime= */ Duration.ofMinutes(5),
          /* pipelinedBytesMax= */ 64 * 1024,
          /* outboundHighWater= */ 64 * 1024,
          /* outboundLowWater= */ 32 * 1024,
          /* drainBytesMax= */ 64 * 1024,
          /* lingerTime= */ Duration.ofSeconds(2),
          /* lingerBytesMax= */ 1024 * 1024,
          /* shutdownIdleTime= */ Duration.ofSeconds(1),
          /* connectionsMax= */ 0,
          /* requestsPerConnectionMax= */ 0,
          /* handshakeTime= */ Duration.ofSeconds(10),
          /* handshakesMax= */ 2_000,
          /* proxyHeaderTime= */ Duration.ofSeconds(5),
          /* proxyHeaderBytesMax= */ 4096,
          /* http2= */ Http2Limits.DEFAULT,
          /* webSocket= */ WebSocketLimits.DEFAULT,
          /* loopBlockedTime= */ Duration.ofMillis(100),
          /* leftHandlersMax= */ 256,
          /* retainedBytesMax= */ 64 * 1024 * 1024);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming the limit that is out of range
   */
  public ServerLimits {
    Objects.requireNonNull(parser);
    Range.checkAtLeast("bodyBytesMax", bodyBytesMax, 0);
    Range.checkPositive("requestHeadTime", requestHeadTime);
    Range.checkPositive("keepAliveTime", keepAliveTime);
    Range.checkAtLeast("requestBytesPerSecondMin", requestBytesPerSecondMin, 0);
    Range.checkPositive("requestRateGrace", requestRateGrace);
    Range.checkAtLeast("responseBytesPerSecondMin", responseBytesPerSecondMin, 0);
    Range.checkPositive("responseRateGrace", responseRateGrace);
    Range.checkNotNegative("responseBeginTime", responseBeginTime);
    Range.checkAtLeast("pipelinedBytesMax", pipelinedBytesMax, 1);
    Range.checkAtLeast("outboundLowWater", outboundLowWater, 1);
    Range.checkAtLeast("outboundHighWater", outboundHighWater, outboundLowWater);
    Range.checkAtLeast("drainBytesMax", drainBytesMax, 0);
    Range.checkPositive("lingerTime", lingerTime);
    Range.checkAtLeast("lingerBytesMax", lingerBytesMax, 0);
    Range.checkPositive("shutdownIdleTime", shutdownIdleTime);
    Range.checkAtLeast("connectionsMax", connectionsMax, 0);
    Range.checkAtLeast("requestsPerConnectionMax", requestsPerConnectionMax, 0);
    Range.checkPositive("handshakeTime", handshakeTime);
    Range.checkAtLeast("handshakesMax", handshakesMax, 1);
    Range.checkPositive("proxyHeaderTime", proxyHeaderTime);
    Range.check(
        "proxyHeaderBytesMax",
        proxyHeaderBytesMax,
        PROXY_HEADER_BYTES_LEAST,
        PROXY_HEADER_BYTES_MOST);
    Objects.requireNonNull(http2);
    Objects.requireNonNull(webSocket);
    Range.checkPositive("loopBlockedTime", loopBlockedTime);
    Range.checkAtLeast("leftHandlersMax", leftHandlersMax, 0);
    Range.checkAtLeast("retainedBytesMax", retainedBytesMax, 0);
  }

  /** Returns a builder that starts from the defaults. */
  public static Builder builder() {
    return DEFAULT.toBuilder();
  }

  /** Returns a builder that starts from these limits. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Builds {@link ServerLimits}. Not thread-safe. */
  public static final class Builder {
    private ParserLimits parser;
    private long bodyBytesMax;
    private Duration requestHeadTime;
    private Duration keepAliveTime;
    private long requestBytesPerSecondMin;
    private Duration requestRateGrace;
    private long responseBytesPerSecondMin;
    private Duration responseRateGrace;
    private Duration responseBeginTime;
    private int pipelinedBytesMax;
    private int outboundHighWater;
    private int outboundLowWater;
    private int drainBytesMax;
    private Duration lingerTime;
    private int lingerBytesMax;
    private Duration shutdownIdleTime;
    private int connectionsMax;
    private int requestsPerConnectionMax;
    private Duration handshakeTime;
    private int handshakesMax;
    private Duration proxyHeaderTime;
    private int proxyHeaderBytesMax;
    private Http2Limits http2;
    private WebSocketLimits webSocket;
    private Duration loopBlockedTime;
    private int leftHandlersMax;
    private long retainedBytesMax;

    private Builder(ServerLimits initial) {
      parser = initial.parser;
      bodyBytesMax = initial.bodyBytesMax;
      requestHeadTime = initial.requestHeadTime;
      keepAliveTime = initial.keepAliveTime;
      requestBytesPerSecondMin = initial.requestBytesPerSecondMin;
      requestRateGrace = initial.requestRateGrace;
      responseBytesPerSecondMin = initial.responseBytesPerSecondMin;
      responseRateGrace = initial.responseRateGrace;
      responseBeginTime = initial.responseBeginTime;
      pipelinedBytesMax = initial.pipelinedBytesMax;
      outboundHighWater = initial.outboundHighWater;
      outboundLowWater = initial.outboundLowWater;
      drainBytesMax = initial.drainBytesMax;
      lingerTime = initial.lingerTime;
      lingerBytesMax = initial.lingerBytesMax;
      shutdownIdleTime = initial.shutdownIdleTime;
      connectionsMax = initial.connectionsMax;
      requestsPerConnectionMax = initial.requestsPerConnectionMax;
      handshakeTime = initial.handshakeTime;
      handshakesMax = initial.handshakesMax;
      proxyHeaderTime = initial.proxyHeaderTime;
      proxyHeaderBytesMax = initial.proxyHeaderBytesMax;
      http2 = initial.http2;
      webSocket = initial.webSocket;
      loopBlockedTime = initial.loopBlockedTime;
      leftHandlersMax = initial.leftHandlersMax;
      retainedBytesMax = initial.retainedBytesMax;
    }

    /** Sets {@link ServerLimits#parser}. */
    public Builder parser(ParserLimits value) {
      parser = value;
      return this;
    }

    /** Sets {@link ServerLimits#bodyBytesMax}. */
    public Builder bodyBytesMax(long value) {
      bodyBytesMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#requestHeadTime}. */
    public Builder requestHeadTime(Duration value) {
      requestHeadTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#keepAliveTime}. */
    public Builder keepAliveTime(Duration value) {
      keepAliveTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#requestBytesPerSecondMin}. */
    public Builder requestBytesPerSecondMin(long value) {
      requestBytesPerSecondMin = value;
      return this;
    }

    /** Sets {@link ServerLimits#responseBytesPerSecondMin}. */
    public Builder responseBytesPerSecondMin(long value) {
      responseBytesPerSecondMin = value;
      return this;
    }

    /** Sets {@link ServerLimits#requestRateGrace}. */
    public Builder requestRateGrace(Duration value) {
      requestRateGrace = value;
      return this;
    }

    /** Sets {@link ServerLimits#responseRateGrace}. */
    public Builder responseRateGrace(Duration value) {
      responseRateGrace = value;
      return this;
    }

    /** Sets {@link ServerLimits#responseBeginTime}. */
    public Builder responseBeginTime(Duration value) {
      responseBeginTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#pipelinedBytesMax}. */
    public Builder pipelinedBytesMax(int value) {
      pipelinedBytesMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#outboundHighWater}. */
    public Builder outboundHighWater(int value) {
      outboundHighWater = value;
      return this;
    }

    /** Sets {@link ServerLimits#outboundLowWater}. */
    public Builder outboundLowWater(int value) {
      outboundLowWater = value;
      return this;
    }

    /** Sets {@link ServerLimits#drainBytesMax}. */
    public Builder drainBytesMax(int value) {
      drainBytesMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#lingerTime}. */
    public Builder lingerTime(Duration value) {
      lingerTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#lingerBytesMax}. */
    public Builder lingerBytesMax(int value) {
      lingerBytesMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#shutdownIdleTime}. */
    public Builder shutdownIdleTime(Duration value) {
      shutdownIdleTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#connectionsMax}. */
    public Builder connectionsMax(int value) {
      connectionsMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#requestsPerConnectionMax}. */
    public Builder requestsPerConnectionMax(int value) {
      requestsPerConnectionMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#handshakeTime}. */
    public Builder handshakeTime(Duration value) {
      handshakeTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#handshakesMax}. */
    public Builder handshakesMax(int value) {
      handshakesMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#proxyHeaderTime}. */
    public Builder proxyHeaderTime(Duration value) {
      proxyHeaderTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#proxyHeaderBytesMax}. */
    public Builder proxyHeaderBytesMax(int value) {
      proxyHeaderBytesMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#http2}. */
    public Builder http2(Http2Limits value) {
      http2 = value;
      return this;
    }

    /** Sets {@link ServerLimits#webSocket}. */
    public Builder webSocket(WebSocketLimits value) {
      webSocket = value;
      return this;
    }

    /** Sets {@link ServerLimits#loopBlockedTime}. */
    public Builder loopBlockedTime(Duration value) {
      loopBlockedTime = value;
      return this;
    }

    /** Sets {@link ServerLimits#leftHandlersMax}. */
    public Builder leftHandlersMax(int value) {
      leftHandlersMax = value;
      return this;
    }

    /** Sets {@link ServerLimits#retainedBytesMax}. */
    public Builder retainedBytesMax(long value) {
      retainedBytesMax = value;
      return this;
    }

    /**
     * Returns the limits.
     *
     * @throws IllegalArgumentException if a value is out of its range; the message names it
     */
    public ServerLimits build() {
      return new ServerLimits(
          parser,
          bodyBytesMax,
          requestHeadTime,
          keepAliveTime,
          requestBytesPerSecondMin,
          requestRateGrace,
          responseBytesPerSecondMin,
          responseRateGrace,
          responseBeginTime,
          pipelinedBytesMax,
          outboundHighWater,
          outboundLowWater,
          drainBytesMax,
          lingerTime,
          lingerBytesMax,
          shutdownIdleTime,
          connectionsMax,
          requestsPerConnectionMax,
          handshakeTime,
          handshakesMax,
          proxyHeaderTime,
          proxyHeaderBytesMax,
          http2,
          webSocket,
          loopBlockedTime,
          leftHandlersMax,
          retainedBytesMax);
    }
  }
}
