package dev.peregrine.server.metrics;

import java.util.Map;
import java.util.function.LongSupplier;

/**
 * A number that can be read at any time, on any thread: a metric with fixed attributes.
 *
 * @param metric not a histogram
 * @param attributes names and values, in a fixed order
 * @param current returns the value, in the unit of the metric
 */
public record Instrument(Metric metric, Map<String, String> attributes, LongSupplier current) {
  /** Returns the present value. */
  public long value() {
    return current.getAsLong();
  }
}
