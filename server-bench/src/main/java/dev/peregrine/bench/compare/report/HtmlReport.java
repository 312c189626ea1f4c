package dev.peregrine.bench.compare.report;

import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.report.Results.Row;
import dev.peregrine.bench.compare.server.ServerKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** The report as one HTML file without external resources. */
public final class HtmlReport {
  private static final ToDoubleFunction<Measurement> THROUGHPUT = Measurement::requestsPerSecond;
  private static final ToDoubleFunction<Measurement> CPU = Measurement::cpuNanosPerRequest;

  private static final int HEAD_END_BYTES = 4;

  private final Results results;
  private final Map<String, String> environment;
  private final Map<ServerKind, String> heads;
  private final List<String> doubts;

  /**
   * Creates a report of measurements.
   *
   * @param environment names and values, shown in this order
   * @param heads of a response of each server that was measured, shown in this order
   * @param doubts reasons not to trust the figures, shown above them
   */
  public HtmlReport(
      Results results,
      Map<String, String> environment,
      Map<ServerKind, String> heads,
      List<String> doubts) {
    this.results = results;
    this.environment = environment;
    this.heads = heads;
    this.doubts = doubts;
  }

  /** Returns the page, to be stored as UTF-8. */
  public String render() {
    StringBuilder sections = new StringBuilder();
    for (Workload workload : results.workloads()) {
      appendSection(sections, workload);
    }
    return template()
        .replace("{{doubts}}", doubts())
        .replace("{{glance}}", glance())
        .replace("{{sections}}", sections)
        .replace("{{servers}}", serverRows())
        .replace("{{environment}}", environmentRows());
  }

  private static String template() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
      return new String(
          Objects.requireNonNull(in, "report.html").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private String doubts() {
    StringBuilder html = new StringBuilder();
    for (String doubt : doubts) {
      html.append("<p><strong>").append(Text.escaped(doubt)).append("</strong></p>\n");
    }
    return html.toString();
  }

  /**
   * Returns a table of the CPU per request of every server and workload, as multiples of the
   * lowest.
   */
  private String glance() {
    StringBuilder table = new StringBuilder("<thead><tr><th></th>");
    for (Workload workload : results.workloads()) {
      table.append(String.format(Locale.ROOT, "<th>%s</th>", workload.title()));
    }
    table.append("</tr></thead>\n<tbody>\n");
    for (ServerKind server : heads.keySet()) {
      table.append(rowStart(server));
      for (Workload workload : results.workloads()) {
        if (!results.has(server, workload)) {
          table.append("<td>–</td>");
          continue;
        }
        double lowest = results.rows(workload, CPU).getFirst().summary().median();
        double ratio = results.summary(workload, server, CPU).median() / lowest;
        table.append(String.format(Locale.ROOT, "<td>%.2f ×</td>", ratio));
      }
      table.append("</tr>\n");
    }
    return table.append("</tbody>").toString();
  }

  private void appendSection(StringBuilder html, Workload workload) {
    List<Row> throughput = results.rows(workload, THROUGHPUT).reversed();
    html.append(
        String.format(
            Locale.ROOT,
            "<section id=\"%s\">%n<h2>%s</h2>%n<div class=\"plots\">%n",
            workload.id(),
            sentence(workload)));
    appendFigure(
        html,
        "Throughput, requests/s (more is better)",
        BarChart.of("Throughput, " + workload.title(), throughput));
    appendFigure(
        html,
        "CPU per request, ns (less is better)",
        BarChart.of("CPU per request, " + workload.title(), results.rows(workload, CPU)));
    if (isLatencyKnown(workload)) {
      appendFigure(
          html,
          workload.depth() == 1
              ? "Latency (less is better)"
              : "Latency of a batch of " + workload.depth() + " (less is better)",
          new LatencyChart(results, workload).render());
    }
    html.append("<figure><figcaption>Medians</figcaption>\n<table>").append(table(workload));
    html.append("</table></figure>\n</div>\n</section>\n");
  }

  private boolean isLatencyKnown(Workload workload) {
    return results.rows(workload, m -> m.load().latencies().p999()).stream()
        .noneMatch(row -> Double.isNaN(row.summary().median()));
  }

  private static String sentence(Workload workload) {
    String title = workload.title();
    return Character.toUpperCase(title.charAt(0)) + title.substring(1);
  }

  private static void appendFigure(StringBuilder html, String caption, String svg) {
    html.append("<figure><figcaption>").append(caption).append("</figcaption>\n");
    html.append(svg).append("</figure>\n");
  }

  private String table(Workload workload) {
    StringBuilder table =
        new StringBuilder(
            "<thead><tr><th></th><th>requests/s</th><th>CPU ns</th><th>busy</th>"
                + "<th>p50</th><th>p99</th><th>p99.9</th><th>errors</th></tr></thead>\n<tbody>\n");
    for (Row row : results.rows(workload, CPU)) {
      ServerKind server = row.server();
      table
          .append(rowStart(server))
          .append(cell(Text.whole(median(workload, server, THROUGHPUT))))
          .append(cell(Text.whole(row.summary().median())))
          .append(cell(Text.whole(median(workload, server, Measurement::cpuPercent)) + " %"))
          .append(cell(Text.micros(median(workload, server, m -> m.load().latencies().p50()))))
          .append(cell(Text.micros(median(workload, server, m -> m.load().latencies().p99()))))
          .append(cell(Text.micros(median(workload, server, m -> m.load().latencies().p999()))))
          .append(cell(Text.whole(worst(workload, server))))
          .append("</tr>\n");
    }
    return table.append("</tbody>").toString();
  }

  private double median(
      Workload workload, ServerKind server, ToDoubleFunction<Measurement> figure) {
    return results.summary(workload, server, figure).median();
  }

  /** Returns the errors of the worst round, because a median would hide them. */
  private double worst(Workload workload, ServerKind server) {
    return results.summary(workload, server, m -> m.load().errors()).max();
  }

  private static String rowStart(ServerKind server) {
    return String.format(
        Locale.ROOT,
        "<tr class=\"%s\"><th>%s</th>",
        server.isOurs() ? "ours" : "other",
        server.title());
  }

  private static String cell(String text) {
    return "<td>" + text + "</td>";
  }

  private String serverRows() {
    StringBuilder rows = new StringBuilder();
    heads.forEach(
        (server, head) ->
            rows.append(
                String.format(
                    Locale.ROOT,
                    "<tr class=\"%s\"><th>%s</th><td>%s</td><td>%s%s</td><td><pre>%s</pre></td>"
                        + "<td>%d bytes</td></tr>%n",
                    server.isOurs() ? "ours" : "other",
                    server.title(),
                    Text.escaped(server.version()),
                    server.setUp(),
                    flags(server),
                    Text.escaped(head),
                    head.length() + HEAD_END_BYTES)));
    return rows.toString();
  }

  private static String flags(ServerKind server) {
    return server.flags().isEmpty()
        ? ""
        : "<br><code>" + Text.escaped(String.join(" ", server.flags())) + "</code>";
  }

  private String environmentRows() {
    StringBuilder rows = new StringBuilder();
    environment.forEach(
        (name, value) ->
            rows.append(
                String.format(
                    Locale.ROOT, "<tr><th>%s</th><td>%s</td></tr>%n", name, Text.escaped(value))));
    return rows.toString();
  }
}
