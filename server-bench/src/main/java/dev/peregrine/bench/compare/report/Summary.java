package dev.peregrine.bench.compare.report;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The median and the range of a figure of several measurements. */
record Summary(double median, double min, double max) {
  /** Summarises at least one measurement. */
  static Summary of(Collection<Measurement> measurements, ToDoubleFunction<Measurement> figure) {
    double[] sorted = measurements.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Summary(median, sorted[0], sorted[sorted.length - 1]);
  }
}
