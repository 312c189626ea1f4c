package dev.peregrine.bench.compare.load;

/** How long batches took, in microseconds: percentiles and the longest. */
public record Latencies(double p50, double p90, double p99, double p999, double max) {}
