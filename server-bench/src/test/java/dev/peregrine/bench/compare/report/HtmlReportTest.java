package dev.peregrine.bench.compare.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.bench.compare.load.Latencies;
import dev.peregrine.bench.compare.load.LoadResult;
import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.server.ServerKind;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class HtmlReportTest {
  private static final Pattern SVG = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL);
  private static final Pattern ROW = Pattern.compile("<tr class=.*?</tr>", Pattern.DOTALL);
  private static final Pattern TAG = Pattern.compile("<[^>]*>");

  private final Results results = new Results();

  /** Peregrine takes 1 µs a request, Jetty 4 µs; the last round is slow for both. */
  private String render() {
    for (Workload workload : List.of(Workload.MANY, Workload.PIPELINED)) {
      for (int slowness : List.of(1, 1, 10)) {
        results.add(ServerKind.JETTY, workload, measurement(200_000, 4000L * slowness));
        results.add(ServerKind.PEREGRINE, workload, measurement(500_000, 1000L * slowness));
      }
    }
    Map<ServerKind, String> heads = new EnumMap<>(ServerKind.class);
    heads.put(ServerKind.PEREGRINE, "HTTP/1.1 200 OK\r\nServer: <Peregrine>");
    heads.put(ServerKind.JETTY, "HTTP/1.1 200 OK");
    return new HtmlReport(results, Map.of("CPU", "fast & <new>"), heads, List.of("Too <busy>."))
        .render();
  }

  private static Measurement measurement(long requests, long cpuNanos) {
    return new Measurement(
        new LoadResult(
            requests, 2, cpuNanos > 4000 ? 3 : 0, new Latencies(80, 120, 250, 1500, 9000)),
        cpuNanos * requests);
  }

  @Test
  void hasASectionWithThreePlotsForEachWorkload() {
    String report = render();

    assertThat(report).contains("<section id=\"many\">", "<section id=\"pipelined\">");
    assertThat(report).doesNotContain("<section id=\"echo\">").doesNotContain("{{");
    assertThat(plots(report)).hasSize(6);
  }

  @Test
  void plotsHaveABarOrAMarkForEachServer() throws Exception {
    for (String plot : plots(render())) {
      NodeList groups = parse(plot).getElementsByTagName("g");
      List<String> names = new ArrayList<>();
      for (int i = 0; i < groups.getLength(); i++) {
        names.add(groups.item(i).getFirstChild().getTextContent());
      }
      assertThat(names).hasSize(2);
      assertThat(names.getFirst()).startsWith("Peregrine: ");
      assertThat(names.getLast()).startsWith("Jetty: ");
    }
  }

  @Test
  void tablesShowMediansAndTheErrorsOfTheWorstRound() {
    assertThat(rows(render()))
        .contains(
            "Peregrine 250,000 1,000 25 % 80 µs 250 µs 1.5 ms 3",
            "Jetty 100,000 4,000 40 % 80 µs 250 µs 1.5 ms 3");
  }

  @Test
  void beginsWithRatiosToTheLowest() {
    assertThat(rows(render())).startsWith("Peregrine 1.00 × 1.00 ×", "Jetty 4.00 × 4.00 ×");
  }

  @Test
  void showsServersAndEnvironmentEscaped() {
    assertThat(render())
        .contains("Server: &lt;Peregrine>", "<th>CPU</th><td>fast &amp; &lt;new></td>")
        .contains("<td>40 bytes</td>", "<td>19 bytes</td>")
        .contains(ServerKind.JETTY.version(), "--add-modules=jdk.incubator.vector");
  }

  @Test
  void beginsWithTheReasonsNotToTrustIt() {
    assertThat(render()).contains("<p><strong>Too &lt;busy>.</strong></p>");
  }

  @Test
  void showsWhatThereIsWhereAMeasurementIsMissing() {
    results.add(ServerKind.JETTY, Workload.ECHO, measurement(200_000, 4000));

    assertThat(rows(render()))
        .startsWith("Peregrine 1.00 × 1.00 × –", "Jetty 4.00 × 4.00 × 1.00 ×");
  }

  private static List<String> plots(String report) {
    return SVG.matcher(report).results().map(MatchResult::group).toList();
  }

  /** Returns the text of the rows of servers, cells separated by a blank. */
  private static List<String> rows(String report) {
    return ROW.matcher(report)
        .results()
        .map(row -> TAG.matcher(row.group()).replaceAll(" ").replaceAll(" +", " ").strip())
        .toList();
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
