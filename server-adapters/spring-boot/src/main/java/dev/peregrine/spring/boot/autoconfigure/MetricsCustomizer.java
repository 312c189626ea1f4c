package dev.peregrine.spring.boot.autoconfigure;

import dev.peregrine.micrometer.PeregrineMetrics;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.metrics.ServerMetrics;
import dev.peregrine.spring.boot.PeregrineServerCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Registers the meters of each start of the server, except for those of requests: Spring has
 * http.server.requests.
 */
final class MetricsCustomizer implements PeregrineServerCustomizer {
  private final ObjectProvider<MeterRegistry> registry; // used when it is complete, at the start
  private @Nullable PeregrineMetrics bound; // null while the server is stopped

  MetricsCustomizer(ObjectProvider<MeterRegistry> registry) {
    this.registry = registry;
  }

  @Override
  public void customize(HttpServerBuilder builder) {
    MeterRegistry found = registry.getIfUnique();
    if (found != null) {
      ServerMetrics metrics = new ServerMetrics();
      PeregrineMetrics binder =
          new PeregrineMetrics(
              metrics, List.of(), metric -> !metric.metricName().startsWith("http."));
      builder.serverListener(metrics);
      binder.bindTo(found);
      bound = binder;
    }
  }

  @Override
  public void onStopped() {
    PeregrineMetrics binder = bound;
    bound = null;
    if (binder != null) {
      binder.close();
    }
  }
}
