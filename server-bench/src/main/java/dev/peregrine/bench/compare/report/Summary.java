package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.load.Medians;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The median and the range of a figure of several measurements. */
record Summary(double median, double min, double max) {
  /** Summarises at least one measurement. */
  static Summary of(Collection<Measurement> measurements, ToDoubleFunction<Measurement> figure) {
    double[] sorted = measurements.stream().mapToDouble(figure).sorted().toArray();
    return new Summary(Medians.of(sorted), sorted[0], sorted[sorted.length - 1]);
  }
}
