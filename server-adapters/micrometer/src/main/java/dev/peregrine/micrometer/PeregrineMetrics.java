package dev.peregrine.micrometer;

import dev.peregrine.server.metrics.Metric;
import dev.peregrine.server.metrics.ServerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Binds the metrics of a server to registries of Micrometer.
 *
 * <pre>{@code
 * ServerMetrics metrics = new ServerMetrics();
 * new PeregrineMetrics(metrics).bindTo(registry);
 * HttpServer server = Peregrine.builder().serverListener(metrics).handler(app).start();
 * }</pre>
 *
 * <p>The meters have the names of {@link dev.peregrine.server.metrics.Metric}, and a tag for each
 * attribute, with the value {@code none} where an attribute is absent. Durations and sizes are a
 * timer and distribution summaries that each request is recorded in, on its event loop, with the
 * bounds of OpenTelemetry's buckets as service level objectives. Only requests that end after
 * {@link #bindTo} are recorded. The others are read when the registry is.
 *
 * <p>It may be bound before or after the start of the server, and to several registries. Metrics of
 * several servers in one registry need tags that tell them apart. Thread-safe.
 */
public final class PeregrineMetrics implements MeterBinder, AutoCloseable {
  private final ServerMetrics metrics;
  private final List<Tag> tags;
  private final Predicate<Metric> chosen;
  private final List<RegistryExporter> bound = new ArrayList<>(); // guarded by this

  /** Creates a binder of metrics without further tags. */
  public PeregrineMetrics(ServerMetrics metrics) {
    this(metrics, List.of());
  }

  /**
   * Creates a binder of metrics.
   *
   * @param tags for all meters
   */
  public PeregrineMetrics(ServerMetrics metrics, Iterable<Tag> tags) {
    this(metrics, tags, metric -> true);
  }

  /**
   * Creates a binder of some of the metrics, for a program that counts its requests otherwise.
   *
   * @param tags for all meters
   * @param chosen returns true for a metric to bind; called while the meters are created, on any
   *     thread
   */
  public PeregrineMetrics(ServerMetrics metrics, Iterable<Tag> tags, Predicate<Metric> chosen) {
    this.metrics = Objects.requireNonNull(metrics);
    List<Tag> copied = new ArrayList<>();
    tags.forEach(copied::add);
    this.tags = List.copyOf(copied);
    this.chosen = Objects.requireNonNull(chosen);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    RegistryExporter exporter = new RegistryExporter(registry, tags, chosen);
    bound.add(exporter);
    metrics.addExporter(exporter);
  }

  /** Removes the meters from all registries. */
  @Override
  public synchronized void close() {
    for (RegistryExporter exporter : bound) {
      metrics.removeExporter(exporter);
      exporter.close();
    }
    bound.clear();
  }
}
