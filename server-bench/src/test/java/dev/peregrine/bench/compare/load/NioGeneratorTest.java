package dev.peregrine.bench.compare.load;

import static dev.peregrine.bench.compare.load.ScriptedServer.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.peregrine.bench.compare.process.CpuPins;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run ends as soon as every connection was closed or had a wrong response, so counts are exact.
 */
class NioGeneratorTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final String HELLO = "Hello, World!";
  private static final String DATE = "Sat, 21 Nov 2026 12:00:00 GMT";
  private static final String RIGHT = response(DATE, HELLO);
  private static final int CONNECTIONS = 64;

  private final NioGenerator generator = new NioGenerator(CpuPins.choose(), SHORT);

  @AfterEach
  void closeGenerator() {
    generator.close();
  }

  @Test
  void countsWhatIsAnsweredOnConnectionsThatAreKept() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(Workload.MANY, (batch, content) -> batch < 5 ? RIGHT : null)) {
      LoadResult result = generator.run(Workload.MANY, server.port(), LONG);

      assertThat(result.requests()).isEqualTo(5L * CONNECTIONS);
      assertThat(result.errors()).as("connections that were closed").isEqualTo(CONNECTIONS);
      assertThat(server.connections()).as("with the one of the check").isEqualTo(CONNECTIONS + 1);
    }
  }

  @Test
  void sendsAllRequestsOfABatchBeforeAnyIsAnswered() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(Workload.PIPELINED, (batch, content) -> batch < 3 ? RIGHT : null)) {
      LoadResult result = generator.run(Workload.PIPELINED, server.port(), LONG);

      assertThat(result.requests()).isEqualTo(3L * 16 * CONNECTIONS);
    }
  }

  @Test
  void sendsContentWithEachRequest() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            Workload.ECHO, (batch, content) -> batch < 3 ? response(DATE, content) : null)) {
      LoadResult result = generator.run(Workload.ECHO, server.port(), LONG);

      assertThat(result.requests()).isEqualTo(3L * CONNECTIONS);
    }
  }

  @Test
  void reportsHowLongAnswersTook() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(Workload.MANY, (batch, content) -> batch < 5 ? RIGHT : null)) {
      LoadResult result = generator.run(Workload.MANY, server.port(), LONG);

      Latencies latencies = result.latencies();
      assertThat(latencies.p50()).isPositive().isLessThanOrEqualTo(latencies.p90());
      assertThat(latencies.p90()).isLessThanOrEqualTo(latencies.p99());
      assertThat(latencies.p99()).isLessThanOrEqualTo(latencies.p999());
      assertThat(latencies.p999()).isLessThanOrEqualTo(latencies.max());
      assertThat(latencies.max()).isLessThanOrEqualTo(result.seconds() * 1e6);
    }
  }

  @Test
  void letsTheDateChange() throws Exception {
    try (ScriptedServer server =
        new ScriptedServer(
            Workload.MANY,
            (batch, content) ->
                batch < 5
                    ? response("Sat, 21 Nov 2026 12:00:0%d GMT".formatted(batch), HELLO)
                    : null)) {
      assertThat(generator.run(Workload.MANY, server.port(), LONG).requests())
          .isEqualTo(5L * CONNECTIONS);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 503 No",
        "Hello, World?",
        "Content-Length: 14",
        "Content-Type: text/html",
        "Hello, World!Hello, World!"
      })
  void stopsCountingAtAWrongAnswer(String wrong) throws Exception {
    String part =
        switch (wrong.substring(0, 9)) {
          case "HTTP/1.1 " -> "HTTP/1.1 200 OK";
          case "Content-L" -> "Content-Length: 13";
          case "Content-T" -> "Content-Type: text/plain";
          default -> HELLO;
        };
    try (ScriptedServer server =
        new ScriptedServer(
            Workload.MANY, (batch, content) -> batch < 2 ? RIGHT : RIGHT.replace(part, wrong))) {
      LoadResult result = generator.run(Workload.MANY, server.port(), LONG);

      assertThat(result.requests()).isEqualTo(2L * CONNECTIONS);
      assertThat(result.errors()).isEqualTo(CONNECTIONS);
    }
  }

  @Test
  void measuresNothingOfAServerThatFallsSilent() throws IOException {
    try (ScriptedServer server = new ScriptedServer(Workload.ONE, new SilentAfterTheCheck())) {
      assertThatIOException()
          .isThrownBy(() -> generator.run(Workload.ONE, server.port(), SHORT))
          .withMessageContaining("answered nothing");
    }
  }

  @Test
  void measuresNothingOfAServerThatAnswersWronglyAtOnce() throws IOException {
    try (ScriptedServer server =
        new ScriptedServer(Workload.ONE, (batch, content) -> response(DATE, "Bye, World!!!"))) {
      assertThatIOException()
          .isThrownBy(() -> generator.run(Workload.ONE, server.port(), LONG))
          .withMessageContaining("the response should have other content");
    }
  }

  /** Sends half a response to every request except the first. */
  private static final class SilentAfterTheCheck implements ScriptedServer.Script {
    private boolean checked;

    @Override
    public synchronized String answer(int batch, String content) {
      String answer = checked ? RIGHT.substring(0, RIGHT.length() / 2) : RIGHT;
      checked = true;
      return answer;
    }
  }
}
