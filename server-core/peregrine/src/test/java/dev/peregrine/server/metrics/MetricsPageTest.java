package dev.peregrine.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.RunItPage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the table of metrics in docs/RUN-IT.md with {@link Metric}. */
final class MetricsPageTest {
  @Test
  void listsEachMetric() {
    List<String> shown =
        RunItPage.text()
            .lines()
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
