package dev.peregrine.server.metrics;

import java.util.Map;

/**
 * A number in a {@link MetricsSnapshot}.
 *
 * @param metric not a histogram
 * @param attributes names and values, in a fixed order
 * @param value in the unit of the metric
 */
public record MetricValue(Metric metric, Map<String, String> attributes, long value) {}
