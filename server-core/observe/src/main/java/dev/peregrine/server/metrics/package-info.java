/**
 * Metrics of a server by the names of OpenTelemetry: {@link
 * dev.peregrine.server.metrics.ServerMetrics}.
 */
@NullMarked
package dev.peregrine.server.metrics;

import org.jspecify.annotations.NullMarked;
