package dev.peregrine.server.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/**
 * A metric as an open type: a table indexed by the attributes, empty where one is absent. A
 * histogram has the columns count, sum, and buckets: the cumulative counts by their upper bounds.
 */
final class MetricTable {
  private static final List<String> ATTRIBUTES_OF_REQUESTS =
      List.of(
          "http.request.method",
          "url.scheme",
          "http.route",
          "http.response.status_code",
          "network.protocol.version",
          "error.type",
          "otel.metric.overflow");

  private final Metric metric;
  private final String name;
  private final List<String> index;
  private final List<String> columns;
  private final CompositeType buckets;
  private final CompositeType row;
  private final TabularType type;

  MetricTable(Metric metric) throws OpenDataException {
    this.metric = metric;
    this.name = name(metric);
    this.index = index(metric);
    this.columns = new ArrayList<>(index);
    this.buckets = buckets(metric);
    List<OpenType<?>> types = new ArrayList<>();
    index.forEach(attribute -> types.add(SimpleType.STRING));
    if (metric.kind() == MetricKind.HISTOGRAM) {
      columns.addAll(List.of("count", "sum", "buckets"));
      types.addAll(List.of(SimpleType.LONG, SimpleType.DOUBLE, buckets));
    } else {
      columns.add("value");
      types.add(SimpleType.LONG);
    }
    this.row = composite(metric, columns, types);
    this.type = new TabularType(name, metric.description(), row, index.toArray(String[]::new));
  }

  /** Returns the name in the style of JMX: {@code HttpServerRequestDuration}. */
  private static String name(Metric metric) {
    StringBuilder camel = new StringBuilder();
    for (String word : metric.metricName().split("[._]", -1)) {
      camel.append(Character.toUpperCase(word.charAt(0))).append(word, 1, word.length());
    }
    return camel.toString();
  }

  private static List<String> index(Metric metric) {
    return switch (metric) {
      case HTTP_SERVER_REQUEST_DURATION,
          HTTP_SERVER_REQUEST_BODY_SIZE,
          HTTP_SERVER_RESPONSE_BODY_SIZE ->
          ATTRIBUTES_OF_REQUESTS;
      case HTTP_SERVER_ACTIVE_REQUESTS -> List.of("http.request.method", "url.scheme");
      case REJECTED_REQUESTS, FAILED_HANDSHAKES -> List.of("error.type");
      case CLOSED_CONNECTIONS -> List.of("peregrine.close.reason", "error.type");
      case NETWORK_IO -> List.of("peregrine.loop", "network.io.direction");
      case OPENED_CONNECTIONS,
          OPEN_CONNECTIONS,
          BUFFER_USED,
          BUFFER_RESERVED,
          BUFFER_RETURNED,
          BLOCKED_TURNS ->
          List.of("peregrine.loop");
    };
  }

  private static CompositeType buckets(Metric metric) throws OpenDataException {
    List<String> bounds = new ArrayList<>();
    metric.bounds().forEach(bound -> bounds.add(PrometheusText.number(bound)));
    bounds.add("+Inf");
    List<OpenType<?>> types = new ArrayList<>();
    bounds.forEach(bound -> types.add(SimpleType.LONG));
    return composite(metric, bounds, types);
  }

  private static CompositeType composite(
      Metric metric, List<String> columns, List<OpenType<?>> types) throws OpenDataException {
    String[] names = columns.toArray(String[]::new);
    return new CompositeType(
        name(metric), metric.description(), names, names, types.toArray(OpenType<?>[]::new));
  }

  String name() {
    return name;
  }

  TabularType type() {
    return type;
  }

  TabularData fill(MetricsSnapshot snapshot) throws OpenDataException {
    TabularData table = new TabularDataSupport(type);
    for (MetricHistogram histogram : snapshot.histograms()) {
      if (histogram.metric() == metric) {
        add(table, histogram.attributes(), histogram.count(), histogram.sum(), cumulate(histogram));
      }
    }
    for (MetricValue value : snapshot.values()) {
      if (value.metric() == metric) {
        add(table, value.attributes(), value.value());
      }
    }
    return table;
  }

  private void add(TabularData table, Map<String, String> attributes, Object... values)
      throws OpenDataException {
    List<Object> cells = new ArrayList<>();
    index.forEach(attribute -> cells.add(attributes.getOrDefault(attribute, "")));
    cells.addAll(Arrays.asList(values));
    table.put(new CompositeDataSupport(row, columns.toArray(String[]::new), cells.toArray()));
  }

  private CompositeDataSupport cumulate(MetricHistogram histogram) throws OpenDataException {
    Object[] counts = new Object[histogram.counts().size()];
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      sum += histogram.counts().get(i);
      counts[i] = sum;
    }
    return new CompositeDataSupport(buckets, bucketNames(), counts);
  }

  private String[] bucketNames() {
    List<String> names = new ArrayList<>();
    metric.bounds().forEach(bound -> names.add(PrometheusText.number(bound)));
    names.add("+Inf");
    return names.toArray(String[]::new);
  }
}
