package dev.peregrine.server.metrics;

import java.util.List;

/**
 * The sinks of the exporters for one series.
 *
 * @param of the exporters that they are from
 */
record Sinks(Exporters of, List<RequestSink> sinks) {
  static final Sinks NONE = new Sinks(Exporters.NONE, List.of());

  void record(long durationNanos, long requestBytes, long responseBytes) {
    for (int i = 0; i < sinks.size(); i++) { // without an iterator
      sinks.get(i).record(durationNanos, requestBytes, responseBytes);
    }
  }
}
