package dev.peregrine.micrometer;

import dev.peregrine.server.metrics.Instrument;
import dev.peregrine.server.metrics.Metric;
import dev.peregrine.server.metrics.MetricKind;
import dev.peregrine.server.metrics.MetricsExporter;
import dev.peregrine.server.metrics.RequestSink;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Creates the meters of a server in one registry. Thread-safe. */
final class RegistryExporter implements MetricsExporter {
  private static final String ABSENT = "none";
  private static final String OVERFLOW = "otel.metric.overflow";

  // Registries such as that of Prometheus require the same tags for all meters of a name.
  private static final List<String> REQUEST_TAGS =
      List.of(
          "http.request.method",
          "url.scheme",
          "http.route",
          "http.response.status_code",
          "network.protocol.version",
          "error.type",
          OVERFLOW);
  private static final List<String> CLOSE_TAGS = List.of("peregrine.close.reason", "error.type");

  private final MeterRegistry registry;
  private final List<Tag> tags;
  private final Predicate<Metric> chosen;
  private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

  RegistryExporter(MeterRegistry registry, List<Tag> tags, Predicate<Metric> chosen) {
    this.registry = registry;
    this.tags = tags;
    this.chosen = chosen;
  }

  @Override
  public void onInstrument(Instrument instrument) {
    Metric metric = instrument.metric();
    if (!chosen.test(metric)) {
      return;
    }
    Map<String, String> attributes = instrument.attributes();
    List<Tag> all =
        metric == Metric.CLOSED_CONNECTIONS
            ? tags(CLOSE_TAGS, attributes)
            : tags(List.copyOf(attributes.keySet()), attributes);
    meters.add(
        metric.kind() == MetricKind.COUNTER
            ? FunctionCounter.builder(metric.metricName(), instrument, Instrument::value)
                .tags(all)
                .description(metric.description())
                .baseUnit(unit(metric))
                .register(registry)
            : Gauge.builder(metric.metricName(), instrument, Instrument::value)
                .strongReference(true)
                .tags(all)
                .description(metric.description())
                .baseUnit(unit(metric))
                .register(registry));
  }

  @Override
  public RequestSink sink(Map<String, String> attributes) {
    List<Tag> all = tags(REQUEST_TAGS, attributes);
    Timer duration = timer(Metric.HTTP_SERVER_REQUEST_DURATION, all);
    DistributionSummary request = summary(Metric.HTTP_SERVER_REQUEST_BODY_SIZE, all);
    DistributionSummary response = summary(Metric.HTTP_SERVER_RESPONSE_BODY_SIZE, all);
    return (durationNanos, requestBytes, responseBytes) -> {
      if (duration != null) {
        duration.record(durationNanos, TimeUnit.NANOSECONDS);
      }
      if (request != null) {
        request.record((double) requestBytes);
      }
      if (response != null) {
        response.record((double) responseBytes);
      }
    };
  }

  private @Nullable Timer timer(Metric metric, List<Tag> all) {
    if (!chosen.test(metric)) {
      return null;
    }
    Timer created =
        Timer.builder(metric.metricName())
            .tags(all)
            .description(metric.description())
            .serviceLevelObjectives(durations(metric))
            .register(registry);
    meters.add(created);
    return created;
  }

  private @Nullable DistributionSummary summary(Metric metric, List<Tag> all) {
    if (!chosen.test(metric)) {
      return null;
    }
    DistributionSummary created =
        DistributionSummary.builder(metric.metricName())
            .tags(all)
            .description(metric.description())
            .baseUnit(unit(metric))
            .serviceLevelObjectives(
                metric.bounds().stream()
                    .mapToDouble(Double::doubleValue)
                    .filter(bound -> bound > 0) // Micrometer requires it
                    .toArray())
            .register(registry);
    meters.add(created);
    return created;
  }

  private static Duration[] durations(Metric metric) {
    return metric.bounds().stream()
        .map(seconds -> Duration.ofNanos(Math.round(seconds * TimeUnit.SECONDS.toNanos(1))))
        .toArray(Duration[]::new);
  }

  private static @Nullable String unit(Metric metric) {
    return metric.unit().equals("By") ? "bytes" : null;
  }

  private List<Tag> tags(List<String> names, Map<String, String> attributes) {
    List<Tag> all = new ArrayList<>(tags);
    for (String name : names) {
      String absent = name.equals(OVERFLOW) ? "false" : ABSENT;
      all.add(Tag.of(name, attributes.getOrDefault(name, absent)));
    }
    return all;
  }

  void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }
}
