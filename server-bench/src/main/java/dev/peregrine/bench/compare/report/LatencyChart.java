package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.load.Latencies;
import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.report.Results.Row;
import dev.peregrine.bench.compare.server.ServerKind;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Percentiles of latency on a logarithmic axis, a row for each server; an SVG. */
final class LatencyChart {
  private static final int WIDTH = 560;
  private static final int LABEL_WIDTH = 132;
  private static final int AXIS_WIDTH = 400;
  private static final int ROW_HEIGHT = 30;
  private static final int HEADER_HEIGHT = 26;
  private static final int FOOTER_HEIGHT = 24;
  private static final int GAP = 8;
  private static final int LEGEND_STEP = 84;
  private static final double[] TICKS_PER_DECADE = {1, 2, 5};
  private static final int TICKS_MAX = 6;

  private static final Percentile P50 =
      new Percentile("p50", "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0", Latencies::p50);
  private static final Percentile P99 =
      new Percentile("p99", "M0 -6L6 0L0 6L-6 0z", Latencies::p99);
  private static final Percentile P999 =
      new Percentile("p99.9", "M-1.5 -8h3v16h-3z", Latencies::p999);
  private static final List<Percentile> PERCENTILES =
      List.of(P50, new Percentile("p90", "M-4 -4h8v8h-8z", Latencies::p90), P99, P999);

  /** A percentile and the shape of its mark, an SVG path around the origin. */
  private record Percentile(String label, String shape, ToDoubleFunction<Latencies> latency) {
    double of(Measurement measurement) {
      return latency.applyAsDouble(measurement.load().latencies());
    }
  }

  private final Results results;
  private final Workload workload;
  private final List<ServerKind> servers;
  private final double lowest;
  private final double highest;

  /** Creates a chart; the server with the lowest p99 comes first. */
  LatencyChart(Results results, Workload workload) {
    this.results = results;
    this.workload = workload;
    List<Row> byP99 = results.rows(workload, P99::of);
    servers = byP99.stream().map(Row::server).toList();
    lowest = Math.max(1, 0.8 * results.rows(workload, P50::of).getFirst().summary().median());
    highest =
        Math.max(2 * lowest, 1.1 * results.rows(workload, P999::of).getLast().summary().median());
  }

  String render() {
    int bottom = HEADER_HEIGHT + ROW_HEIGHT * servers.size();
    StringBuilder svg =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Latency percentiles, %s\">%n",
                WIDTH,
                bottom + FOOTER_HEIGHT,
                workload.title()));
    appendLegend(svg);
    appendAxis(svg, bottom);
    for (int i = 0; i < servers.size(); i++) {
      appendServer(svg, servers.get(i), HEADER_HEIGHT + ROW_HEIGHT * i + ROW_HEIGHT / 2.0);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void appendLegend(StringBuilder svg) {
    double x = LABEL_WIDTH + GAP;
    for (Percentile percentile : PERCENTILES) {
      svg.append(mark(percentile, x, GAP))
          .append(
              String.format(
                  Locale.ROOT,
                  "<text class=\"tick start\" x=\"%.1f\" y=\"%d\">%s</text>%n",
                  x + 2 * GAP,
                  GAP,
                  percentile.label()));
      x += LEGEND_STEP;
    }
  }

  private void appendAxis(StringBuilder svg, int bottom) {
    double[] steps =
        decades() * TICKS_PER_DECADE.length > TICKS_MAX ? new double[] {1} : TICKS_PER_DECADE;
    for (double decade = Math.pow(10, Math.floor(Math.log10(lowest)));
        decade <= highest;
        decade *= 10) {
      for (double step : steps) {
        double tick = decade * step;
        if (tick >= lowest && tick <= highest) {
          svg.append(
              String.format(
                  Locale.ROOT,
                  "<path class=\"grid\" d=\"M%1$.1f %2$dV%3$d\"/>"
                      + "<text class=\"tick\" x=\"%1$.1f\" y=\"%4$d\">%5$s</text>%n",
                  x(tick),
                  HEADER_HEIGHT,
                  bottom,
                  bottom + FOOTER_HEIGHT / 2,
                  Text.micros(tick)));
        }
      }
    }
  }

  private double decades() {
    return Math.log10(highest / lowest);
  }

  private void appendServer(StringBuilder svg, ServerKind server, double y) {
    StringBuilder marks = new StringBuilder();
    StringBuilder title = new StringBuilder(server.title() + ":");
    for (Percentile percentile : PERCENTILES) {
      double micros = median(server, percentile);
      marks.append(mark(percentile, x(micros), y));
      title.append(' ').append(percentile.label()).append(' ').append(Text.micros(micros));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<g class=\"%s\"><title>%s</title><text class=\"label\" x=\"%d\" y=\"%.1f\">%s</text>"
                + "<path class=\"range\" d=\"M%.1f %.1fH%.1f\"/>%s</g>%n",
            server.isOurs() ? "ours" : "other",
            title,
            LABEL_WIDTH - GAP,
            y,
            server.title(),
            x(median(server, P50)),
            y,
            x(median(server, P999)),
            marks));
  }

  private double median(ServerKind server, Percentile percentile) {
    return results.summary(workload, server, percentile::of).median();
  }

  private static String mark(Percentile percentile, double x, double y) {
    return String.format(
        Locale.ROOT,
        "<path class=\"mark\" transform=\"translate(%.1f %.1f)\" d=\"%s\"/>",
        x,
        y,
        percentile.shape());
  }

  private double x(double micros) {
    return LABEL_WIDTH + AXIS_WIDTH * Math.log10(Math.max(lowest, micros) / lowest) / decades();
  }
}
