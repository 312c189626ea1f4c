package dev.peregrine.jdk.httpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.config.ServerLimits;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The system properties, with their defaults, and values that are too small, too large, or none.
 */
class OptionsTest {
  private static final String PREFIX = "sun.net.httpserver.";

  @AfterEach
  void clear() {
    System.getProperties()
        .keySet()
        .removeIf(
            key ->
                key.toString().startsWith(PREFIX) || key.toString().startsWith("jdk.httpserver."));
  }

  private static Options read(String property, String value) {
    System.setProperty(property, value);
    return Options.read();
  }

  private static ServerLimits limits(String property, String value) {
    return read(property, value).limits();
  }

  @Test
  void hasTheDefaultsOfTheApi() {
    Options options = Options.read();

    assertThat(options.responseTime()).isZero();
    assertThat(options.sharesAttributes()).isFalse();
    assertThat(options.matchesSegments()).isFalse();
    assertThat(options.limits().bodyBytesMax()).isEqualTo(Long.MAX_VALUE);
    assertThat(options.limits().keepAliveTime()).hasSeconds(30);
    assertThat(options.limits().requestHeadTime())
        .isEqualTo(ServerLimits.DEFAULT.requestHeadTime());
    assertThat(options.limits().drainBytesMax()).isEqualTo(65_536);
    assertThat(options.limits().connectionsMax()).isZero();
    assertThat(options.limits().parser().fieldsMax()).isEqualTo(200);
    assertThat(options.limits().parser().headerBytesMax()).isEqualTo(389_120);
    assertThat(options.limits().parser().requestLineBytesMax()).isEqualTo(389_120);
  }

  @ParameterizedTest
  @CsvSource({"-1, 30", "0, 30", "1, 1", "4, 4", "300, 300", "x, 30", "'', 30", "9e9, 30"})
  void readsTheTimeOfIdleConnections(String value, long seconds) {
    assertThat(limits(PREFIX + "idleInterval", value).keepAliveTime()).hasSeconds(seconds);
  }

  @ParameterizedTest
  @CsvSource({"-1, 30, 30", "0, 30, 30", "1, 1, 1", "30, 30, 30", "60, 60, 30", "x, 30, 30"})
  void readsTheTimeOfRequests(String value, long headSeconds, long idleSeconds) {
    ServerLimits limits = limits(PREFIX + "maxReqTime", value);

    assertThat(limits.requestHeadTime()).hasSeconds(headSeconds);
    assertThat(limits.keepAliveTime()).hasSeconds(idleSeconds);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "0, 0", "1, 1", "600, 600", "x, 0"})
  void readsTheTimeOfResponses(String value, long seconds) {
    assertThat(read(PREFIX + "maxRspTime", value).responseTime()).hasSeconds(seconds);
  }

  @ParameterizedTest
  @CsvSource({"idleInterval", "maxReqTime", "maxRspTime"})
  void takesTimesThatAreTooLargeAsTheLargest(String name) {
    Options options = read(PREFIX + name, Long.toString(Long.MAX_VALUE));

    Duration longest = Duration.ofDays(36_500);
    assertThat(options)
        .extracting(
            one -> one.limits().keepAliveTime(),
            one -> one.limits().requestHeadTime(),
            Options::responseTime)
        .contains(longest);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0",
    "0, 0",
    "1, 1",
    "65536, 65536",
    "1073741824, 1073741824",
    "1073741825, 1073741824",
    "9223372036854775807, 1073741824",
    "x, 65536",
    "1k, 65536",
  })
  void readsHowMuchUnreadContentIsReceived(String value, int bytes) {
    assertThat(limits(PREFIX + "drainAmount", value).drainBytesMax()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"-1, 200", "0, 200", "1, 1", "10000, 10000", "10001, 10000", "x, 200"})
  void readsTheNumberOfFields(String value, int fields) {
    assertThat(limits(PREFIX + "maxReqHeaders", value).parser().fieldsMax()).isEqualTo(fields);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 268435456",
    "0, 268435456",
    "1, 12",
    "12, 12",
    "13, 13",
    "268435456, 268435456",
    "268435457, 268435456",
    "99999999999, 389120",
    "x, 389120",
  })
  void readsTheSizeOfTheHead(String value, int bytes) {
    var parser = limits(PREFIX + "maxReqHeaderSize", value).parser();

    assertThat(parser.headerBytesMax()).isEqualTo(bytes);
    assertThat(parser.requestLineBytesMax()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "0, 0", "1, 1", "2147483647, 2147483647", "2147483648, 0", "x, 0"})
  void readsTheNumberOfConnections(String value, int connections) {
    assertThat(limits("jdk.httpserver.maxConnections", value).connectionsMax())
        .isEqualTo(connections);
  }

  @ParameterizedTest
  @CsvSource({"context, true", "Context, false", "exchange, false", "'', false"})
  void readsWhoseAttributesAnExchangeHas(String value, boolean shares) {
    assertThat(read("jdk.httpserver.attributes", value).sharesAttributes()).isEqualTo(shares);
  }

  @ParameterizedTest
  @CsvSource({"pathPrefix, true", "stringPrefix, false", "x, false", "'', false"})
  void readsHowPathsMatch(String value, boolean segments) {
    assertThat(read(PREFIX + "pathMatcher", value).matchesSegments()).isEqualTo(segments);
  }
}
