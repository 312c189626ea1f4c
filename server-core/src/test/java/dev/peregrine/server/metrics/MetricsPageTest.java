package dev.peregrine.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the table of metrics in docs/PRODUCTION.md with {@link Metric}. */
final class MetricsPageTest {
  @Test
  void listsEachMetric() throws IOException {
    List<String> shown =
        Files.readAllLines(Repository.root().resolve("docs/PRODUCTION.md")).stream()
            .filter(line -> line.startsWith("| `http.") || line.startsWith("| `peregrine."))
            .map(line -> line.substring(0, line.lastIndexOf(" | ")))
            .toList();

    assertThat(shown).isEqualTo(Stream.of(Metric.values()).map(MetricsPageTest::row).toList());
  }

  private static String row(Metric metric) {
    String kind =
        switch (metric.kind()) {
          case COUNTER -> "counter";
          case UP_DOWN_COUNTER -> "up-down counter";
          case HISTOGRAM -> "histogram";
        };
    return "| `%s` | %s | `%s` | %s"
        .formatted(metric.metricName(), kind, metric.unit(), metric.description());
  }
}
