package dev.peregrine.bench.technique.report;

import java.util.List;

/** The measurements of one group, as Markdown. */
final class Page {
  private Page() {}

  static String of(Group group, List<Measured> all, String environment) {
    List<String> inputs = Measured.inputs(all);
    StringBuilder page = new StringBuilder();
    page.append("# ").append(group.title()).append("\n\n");
    page.append("    ./mvnw -Pbench -Dbench=").append(group.key()).append("\n\n");
    page.append(environment).append("\n\n");
    page.append("![").append(group.title()).append("](").append(group.key()).append(".svg)\n\n");
    page.append(
        "Median of the iterations (fastest to slowest), and bytes allocated, per operation; ours is bold.\n\n|");
    inputs.forEach(input -> page.append(" | ").append(input));
    page.append(" |\n|---").append("|---".repeat(inputs.size())).append("|\n");
    for (String form : Measured.forms(all)) {
      String name = Measured.words(form);
      page.append("| ").append(group.isOurs(form) ? "**" + name + "**" : name);
      for (String input : inputs) {
        page.append(" | ").append(cell(Measured.find(all, form, input)));
      }
      page.append(" |\n");
    }
    return page.toString();
  }

  private static String cell(Measured one) {
    String range = Measured.time(one.least()) + " to " + Measured.time(one.most());
    return Measured.time(one.nanos()) + " (" + range + "), " + Measured.bytes(one.bytes()) + " B";
  }
}
