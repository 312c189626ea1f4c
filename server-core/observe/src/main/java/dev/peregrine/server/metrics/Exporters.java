package dev.peregrine.server.metrics;

import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The exporters of a server's metrics at one time; compared by identity. */
final class Exporters {
  static final Exporters NONE = new Exporters(List.of());

  private final List<MetricsExporter> all;

  private Exporters(List<MetricsExporter> all) {
    this.all = all;
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  Exporters with(MetricsExporter added) {
    List<MetricsExporter> more = new ArrayList<>(all);
    more.add(added);
    return new Exporters(List.copyOf(more));
  }

  Exporters without(MetricsExporter removed) {
    List<MetricsExporter> left = new ArrayList<>(all);
    left.removeIf(removed::equals);
    return left.isEmpty() ? NONE : new Exporters(List.copyOf(left));
  }

  void onInstrument(Instrument instrument) {
    all.forEach(exporter -> exporter.onInstrument(instrument));
  }

  /** Returns the sinks for a series; an exporter that throws gets nothing of it. */
  Sinks sinks(Map<String, String> attributes) {
    List<RequestSink> sinks = new ArrayList<>();
    for (MetricsExporter exporter : all) {
      try {
        sinks.add(exporter.sink(attributes));
      } catch (RuntimeException failure) {
        Log.add(Level.ERROR, Incident.LISTENER_FAILED, failure);
      }
    }
    return new Sinks(this, List.copyOf(sinks));
  }
}
