package dev.peregrine.bench.compare.load;

import static dev.peregrine.bench.compare.load.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RatedGeneratorTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration TIME = Duration.ofMillis(200);
  private static final int PER_SECOND = 1000;
  private static final String RIGHT = response("Sat, 21 Nov 2026 12:00:00 GMT", "Hello, World!");

  @ParameterizedTest
  @ValueSource(ints = {0, 20})
  void sendsRequestsAtTheGivenRate(int napMicros) throws Exception {
    Duration nap = Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(napMicros));
    try (ScriptedServer server = server((batch, content) -> RIGHT);
        RatedGenerator generator = new RatedGenerator(server.port(), 8, nap, PATIENCE)) {
      assertThat(generator.run(PER_SECOND, TIME).requests()).isEqualTo(200);
      assertThat(generator.run(2 * PER_SECOND, TIME).requests()).isEqualTo(400);
      assertThat(server.connections()).as("with the one of the check").isEqualTo(9);
    }
  }

  /** The answer to the eleventh request, 10 ms after the first, is withheld for 50 ms. */
  @Test
  void aPauseDelaysEveryRequestThatFallsIntoIt() throws Exception {
    try (ScriptedServer server =
            server(
                (batch, content) -> {
                  if (batch == 10) {
                    withhold(Duration.ofMillis(50));
                  }
                  return RIGHT;
                });
        RatedGenerator generator = generator(server, 1)) {
      RatedResult result = generator.run(PER_SECOND, TIME);

      assertThat(result.requests()).isEqualTo(200);
      assertThat(result.slowRequests()).isGreaterThanOrEqualTo(45);
      assertThat(result.latencies().percentile(100))
          .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
      assertThat(result.slow().all())
          .anySatisfy(
              pause -> {
                assertThat(pause.count()).isGreaterThanOrEqualTo(45);
                assertThat(pause.nanos()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(50));
              });
    }
  }

  @Test
  void failsAtAWrongAnswer() throws Exception {
    try (ScriptedServer server =
            server((batch, content) -> batch < 3 ? RIGHT : RIGHT.replace("World!", "World?"));
        RatedGenerator generator = generator(server, 1)) {
      assertThatIOException()
          .isThrownBy(() -> generator.run(PER_SECOND, TIME))
          .withMessageContaining("differs from the first");
    }
  }

  @Test
  void failsWhenAConnectionIsClosed() throws Exception {
    try (ScriptedServer server = server((batch, content) -> batch < 3 ? RIGHT : null);
        RatedGenerator generator = generator(server, 1)) {
      assertThatIOException()
          .isThrownBy(() -> generator.run(PER_SECOND, TIME))
          .withMessageContaining("closed the connection");
    }
  }

  @Test
  void failsWhenAnAnswerIsMissing() throws Exception {
    try (ScriptedServer server =
            server((batch, content) -> batch < 3 ? RIGHT : RIGHT.substring(0, RIGHT.length() - 1));
        RatedGenerator generator =
            new RatedGenerator(server.port(), 1, Duration.ZERO, Duration.ofMillis(1))) {
      assertThatIOException()
          .isThrownBy(() -> generator.run(PER_SECOND, TIME))
          .withMessageContaining("of 200 requests were answered in time");
    }
  }

  @Test
  void theCommandReportsWhatItHasMeasured() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ScriptedServer server = server((batch, content) -> RIGHT);
        RatedGenerator generator = generator(server, 8);
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      LatencyAtRate.measure(generator, PER_SECOND, TIME, TIME, out);
    }

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .startsWith("200 requests answered; latency in µs: p50 ")
        .contains(" p90 ", " p99 ", " p99.9 ", " p99.99 ", " max ")
        .contains("more than 5 ms: ", "the generator's own longest gap: ");
  }

  private static ScriptedServer server(ScriptedServer.Script script) throws IOException {
    return new ScriptedServer(Workload.MANY, script);
  }

  private static RatedGenerator generator(ScriptedServer server, int connections)
      throws IOException {
    return new RatedGenerator(server.port(), connections, Duration.ZERO, PATIENCE);
  }

  /** Withholds a response for at least that time. */
  private static void withhold(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
