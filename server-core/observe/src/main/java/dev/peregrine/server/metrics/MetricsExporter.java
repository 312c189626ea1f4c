package dev.peregrine.server.metrics;

import java.util.Map;

/**
 * Passes metrics to a library that has its own histograms. One that only needs the numbers from
 * time to time reads {@link ServerMetrics#snapshot} instead.
 */
public interface MetricsExporter {
  /**
   * Called once for each instrument: those of the server when the exporter is added, and those of
   * its event loops when they exist.
   */
  void onInstrument(Instrument instrument);

  /**
   * Returns the sink for the requests with the given attributes, those of {@link
   * Metric#HTTP_SERVER_REQUEST_DURATION}. Called on an event loop when it serves the first such
   * request after the exporter was added, so it must not block. It is called by each loop, and
   * again when exporters are added or removed, and should return the same sink then.
   *
   * @param attributes names and values, in a fixed order
   */
  RequestSink sink(Map<String, String> attributes);
}
