package dev.peregrine.bench.technique.report;

import java.util.List;

/** The measurements of one group, as Markdown. */
final class Page {
  private static final String SOURCES = "../../server-bench/src/main/java/";

  private Page() {}

  /**
   * Returns the page.
   *
   * @param environment what the measurement was made on, a fact each
   */
  static String of(Group group, List<Measured> all, List<String> environment) {
    StringBuilder page = new StringBuilder();
    Class<?> benchmark = group.benchmark();
    page.append("# ").append(group.title()).append("\n\n");
    page.append("[Claim and verdict](../TECHNIQUES.md#").append(group.key()).append(") · [`");
    page.append(benchmark.getSimpleName()).append("`](").append(SOURCES);
    page.append(benchmark.getName().replace('.', '/')).append(".java)\n\n");
    page.append("    ./mvnw -Pbench -Dbench=").append(group.key()).append("\n\n");
    page.append("Measured on: ").append(String.join("; ", environment)).append(".\n\n");
    page.append("![").append(group.title()).append("](").append(group.key()).append(".svg)\n");
    for (String ours : group.ours()) {
      List<Measured> compared = group.comparedWith(ours, all);
      page.append("\n| input | form | time | ratio | fastest to slowest fork | allocated |\n");
      page.append("|---|---|--:|--:|---|--:|\n");
      for (Measured one : compared) {
        page.append(row(one, Measured.find(compared, ours, one.input())));
      }
    }
    return page.toString();
  }

  private static String row(Measured one, Measured ours) {
    String name = Measured.words(one.form());
    return String.join(
        " | ",
        "| " + one.input(),
        one.equals(ours) ? "**" + name + "**" : name,
        Measured.time(one.nanos()),
        Measured.threeDigits(one.ratio(ours)),
        Measured.time(one.least()) + " to " + Measured.time(one.most()),
        Measured.bytes(one.bytes()) + " B |\n");
  }
}
