package dev.peregrine.server.metrics;

/** The kinds of instruments that OpenTelemetry defines, as far as they occur. */
public enum MetricKind {
  /** A sum that never decreases. */
  COUNTER,

  /** A sum that increases and decreases. */
  UP_DOWN_COUNTER,

  /** A distribution of values in buckets. */
  HISTOGRAM
}
