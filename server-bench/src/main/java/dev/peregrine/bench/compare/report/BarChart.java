package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.report.Results.Row;
import java.util.List;
import java.util.Locale;

/** Bars from zero to the median, with a line from the lowest to the highest round; an SVG. */
final class BarChart {
  private static final int WIDTH = 560;
  private static final int LABEL_WIDTH = 132;
  private static final int BAR_WIDTH = 320;
  private static final int ROW_HEIGHT = 30;
  private static final int BAR_HEIGHT = 18;
  private static final int WHISKER_HEIGHT = 8;
  private static final int GAP = 8;

  private BarChart() {}

  /** Rows in the order they are shown; the title is for screen readers. */
  static String of(String title, List<Row> rows) {
    double most = rows.stream().mapToDouble(row -> row.summary().max()).max().orElse(1);
    StringBuilder svg =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                ROW_HEIGHT * rows.size(),
                Text.escaped(title)));
    for (int i = 0; i < rows.size(); i++) {
      append(svg, rows.get(i), ROW_HEIGHT * i + ROW_HEIGHT / 2.0, BAR_WIDTH / most);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void append(StringBuilder svg, Row row, double y, double scale) {
    Summary summary = row.summary();
    double from = LABEL_WIDTH + summary.min() * scale;
    double to = LABEL_WIDTH + summary.max() * scale;
    String value = Text.whole(summary.median());
    svg.append(
            String.format(
                Locale.ROOT, "<g class=\"%s\">", row.server().isOurs() ? "ours" : "other"))
        .append(
            String.format(
                Locale.ROOT,
                "<title>%s: median %s, lowest %s, highest %s</title>",
                row.server().title(),
                value,
                Text.whole(summary.min()),
                Text.whole(summary.max())))
        .append(
            String.format(
                Locale.ROOT,
                "<text class=\"label\" x=\"%d\" y=\"%.1f\">%s</text>",
                LABEL_WIDTH - GAP,
                y,
                row.server().title()))
        .append(
            String.format(
                Locale.ROOT,
                "<rect class=\"bar\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                LABEL_WIDTH,
                y - BAR_HEIGHT / 2.0,
                summary.median() * scale,
                BAR_HEIGHT))
        .append(whisker(from, to, y))
        .append(
            String.format(
                Locale.ROOT,
                "<text class=\"value\" x=\"%.1f\" y=\"%.1f\">%s</text></g>%n",
                to + GAP,
                y,
                value));
  }

  private static String whisker(double from, double to, double y) {
    double top = y - WHISKER_HEIGHT / 2.0;
    return String.format(
        Locale.ROOT,
        "<path class=\"whisker\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv%dM%.1f %.1fv%d\"/>",
        from,
        y,
        to,
        from,
        top,
        WHISKER_HEIGHT,
        to,
        top,
        WHISKER_HEIGHT);
  }
}
