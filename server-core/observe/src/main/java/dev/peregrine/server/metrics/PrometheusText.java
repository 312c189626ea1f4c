package dev.peregrine.server.metrics;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The text format of Prometheus, version 0.0.4. */
final class PrometheusText {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  private PrometheusText() {}

  static String of(MetricsSnapshot snapshot) {
    PrometheusText page = new PrometheusText();
    for (Metric metric : Metric.values()) {
      page.add(metric, snapshot);
    }
    return page.text.toString();
  }

  private void add(Metric metric, MetricsSnapshot snapshot) {
    String name = name(metric);
    boolean first = true;
    for (MetricHistogram histogram : snapshot.histograms()) {
      if (histogram.metric() == metric) {
        first = head(first, metric, name);
        add(name, histogram);
      }
    }
    for (MetricValue value : snapshot.values()) {
      if (value.metric() == metric) {
        first = head(first, metric, name);
        sample(name, value.attributes(), null, Long.toString(value.value()));
      }
    }
  }

  /** Adds the lines about a metric before its first sample. Returns false. */
  private boolean head(boolean first, Metric metric, String name) {
    if (first) {
      String type =
          switch (metric.kind()) {
            case COUNTER -> "counter";
            case UP_DOWN_COUNTER -> "gauge";
            case HISTOGRAM -> "histogram";
          };
      text.append("# HELP ").append(name).append(' ').append(metric.description());
      text.append("\n# TYPE ").append(name).append(' ').append(type).append('\n');
    }
    return false;
  }

  private void add(String name, MetricHistogram histogram) {
    long cumulated = 0;
    for (int i = 0; i < histogram.counts().size(); i++) {
      cumulated += histogram.counts().get(i);
      boolean isLast = i == histogram.metric().bounds().size();
      String bound = isLast ? "+Inf" : number(histogram.metric().bounds().get(i));
      sample(name + "_bucket", histogram.attributes(), bound, Long.toString(cumulated));
    }
    sample(name + "_sum", histogram.attributes(), null, number(histogram.sum()));
    sample(name + "_count", histogram.attributes(), null, Long.toString(cumulated));
  }

  private void sample(
      String name, Map<String, String> attributes, @Nullable String bound, String value) {
    text.append(name);
    char separator = '{';
    for (Map.Entry<String, String> attribute : attributes.entrySet()) {
      text.append(separator).append(attribute.getKey().replace('.', '_')).append("=\"");
      text.append(escape(attribute.getValue())).append('"');
      separator = ',';
    }
    if (bound != null) {
      text.append(separator).append("le=\"").append(bound).append('"');
      separator = ',';
    }
    text.append(separator == ',' ? "} " : " ").append(value).append('\n');
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /** Returns a number without a fraction if it has none. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** Returns the name with its unit, as Prometheus has it: {@code http_server_..._seconds}. */
  private static String name(Metric metric) {
    String unit =
        switch (metric.unit()) {
          case "s" -> "_seconds";
          case "By" -> "_bytes";
          default -> "";
        };
    String total = metric.kind() == MetricKind.COUNTER ? "_total" : "";
    return metric.metricName().replace('.', '_') + unit + total;
  }
}
