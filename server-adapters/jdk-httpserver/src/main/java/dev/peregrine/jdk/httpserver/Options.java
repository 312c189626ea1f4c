package dev.peregrine.jdk.httpserver;

import dev.peregrine.parser.ParserLimits;
import dev.peregrine.server.config.ServerLimits;
import java.time.Duration;

/**
 * The options of a server, from the system properties of the JDK's server, read when a server is
 * created.
 *
 * @param responseTime how long a response may take, from the call of its handler; zero for no limit
 * @param sharesAttributes whether the attributes of an exchange are those of its context
 * @param matchesSegments whether a context's path matches whole segments only
 */
record Options(
    ServerLimits limits, Duration responseTime, boolean sharesAttributes, boolean matchesSegments) {
  private static final String PREFIX = "sun.net.httpserver.";
  private static final String RATE = "dev.peregrine.jdk.httpserver.bytesPerSecondMin";
  private static final int IDLE_SECONDS = 30;
  private static final int FIELDS = 200;
  private static final int FIELDS_MOST = 10_000;
  private static final int HEAD_BYTES = 380 * 1024;
  private static final int HEAD_BYTES_MOST = 1 << 28;
  private static final int DRAIN_BYTES = 64 * 1024;
  private static final long SECONDS_MOST = Duration.ofDays(36_500).toSeconds();

  /** Reads the properties. A value that isn't a number counts as absent. */
  static Options read() {
    return new Options(
        readLimits(),
        seconds(PREFIX + "maxRspTime", 0),
        "context".equals(System.getProperty("jdk.httpserver.attributes")),
        "pathPrefix".equals(System.getProperty(PREFIX + "pathMatcher")));
  }

  private static ServerLimits readLimits() {
    int headBytes = headBytes();
    int fields = integer(PREFIX + "maxReqHeaders", FIELDS);
    ParserLimits parser =
        ParserLimits.builder()
            .requestLineBytesMax(headBytes)
            .headerBytesMax(headBytes)
            .fieldsMax(fields <= 0 ? FIELDS : Math.min(fields, FIELDS_MOST))
            .build();
    ServerLimits.Builder limits =
        ServerLimits.builder()
            .parser(parser)
            .bodyBytesMax(Long.MAX_VALUE)
            .keepAliveTime(seconds(PREFIX + "idleInterval", IDLE_SECONDS))
            .drainBytesMax(
                Math.clamp(Long.getLong(PREFIX + "drainAmount", DRAIN_BYTES), 0, 1 << 30))
            .connectionsMax(Math.max(0, integer("jdk.httpserver.maxConnections", 0)))
            .requestBytesPerSecondMin(rate())
            .responseBytesPerSecondMin(rate())
            .shutdownIdleTime(Duration.ofMillis(1)); // stop doesn't wait for idle connections
    Duration request = seconds(PREFIX + "maxReqTime", 0);
    if (request.isPositive()) {
      Duration idle = seconds(PREFIX + "idleInterval", IDLE_SECONDS);
      limits.requestHeadTime(request).keepAliveTime(request.compareTo(idle) < 0 ? request : idle);
    }
    return limits.build();
  }

  private static long rate() {
    return Math.max(0, Long.getLong(RATE, ServerLimits.DEFAULT.requestBytesPerSecondMin()));
  }

  private static int headBytes() {
    int bytes = integer(PREFIX + "maxReqHeaderSize", HEAD_BYTES);
    return bytes <= 0 ? HEAD_BYTES_MOST : Math.clamp(bytes, 12, HEAD_BYTES_MOST);
  }

  private static int integer(String property, int otherwise) {
    return Integer.getInteger(property, otherwise);
  }

  private static Duration seconds(String property, long otherwise) {
    long value = Long.getLong(property, otherwise);
    return Duration.ofSeconds(Math.min(value <= 0 ? otherwise : value, SECONDS_MOST));
  }
}
