package dev.peregrine.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.server.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareOptionsTest {
  private static final Path FOLDER = Path.of("target");

  @Test
  void comparesAllServersOfThisSystemWithAllWorkloadsInSixMinutes() {
    CompareOptions options = CompareOptions.of(new Properties(), FOLDER);

    assertThat(options.servers())
        .containsExactlyElementsOf(
            Arrays.stream(ServerKind.values()).filter(ServerKind::isAvailable).toList());
    assertThat(options.workloads()).containsExactly(Workload.values());
    assertThat(options.time().multipliedBy(Comparison.turns(options)))
        .isLessThanOrEqualTo(Duration.ofMinutes(6));
  }

  @Test
  void readsEveryOption() {
    Properties properties = new Properties();
    properties.setProperty("compare.servers", "peregrine,peregrine-nio");
    properties.setProperty("compare.only", "echo");
    properties.setProperty("compare.seconds", "0.25");
    properties.setProperty("compare.rounds", "3");
    properties.setProperty("compare.generator", "built-in");

    CompareOptions options = CompareOptions.of(properties, FOLDER);

    assertThat(options.servers()).containsExactly(ServerKind.PEREGRINE, ServerKind.PEREGRINE_NIO);
    assertThat(options.workloads()).containsExactly(Workload.ECHO);
    assertThat(options.time()).isEqualTo(Duration.ofMillis(250));
    assertThat(options.rounds()).isEqualTo(3);
    assertThat(options.usesWrk()).isFalse();
  }

  @Test
  void anEmptyOptionIsIgnored() {
    Properties properties = new Properties();
    properties.setProperty("compare.rounds", "");

    assertThat(CompareOptions.of(properties, FOLDER))
        .isEqualTo(CompareOptions.of(new Properties(), FOLDER));
  }

  @ParameterizedTest
  @CsvSource({
    "servers, apache, no server is called apache",
    "only, all, no workload is called all",
    "seconds, 0, above 0",
    "seconds, 601, at most 600",
    "seconds, NaN, above 0",
    "rounds, 0, above 0",
    "rounds, many, many",
    "generator, ab, wrk or built-in",
  })
  void reportsTheFault(String name, String value, String message) {
    Properties properties = new Properties();
    properties.setProperty("compare." + name, value);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompareOptions.of(properties, FOLDER))
        .withMessageContaining(message);
  }
}
