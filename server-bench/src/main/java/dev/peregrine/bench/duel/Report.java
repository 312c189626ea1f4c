package dev.peregrine.bench.duel;

import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Tables of the measurements, as Markdown. Ratios of ours to others are rounded up, never in our
 * favour.
 */
final class Report {
  private static final int DIGITS = 3;

  private final PrintStream out;
  private final List<String> corpora;
  private final List<Contender> contenders;
  private final Samples[][] samples;

  /** Creates a report of samples by contender and corpus. */
  Report(PrintStream out, List<String> corpora, List<Contender> contenders, Samples[][] samples) {
    this.out = out;
    this.corpora = corpora;
    this.contenders = contenders;
    this.samples = samples;
  }

  void print() {
    times("Minimum, ns per file", Samples::minimum);
    times("Median, ns per file", Samples::median);
    for (int i = 0; i < contenders.size(); i++) {
      if (!contenders.get(i).isOurs()) {
        ratios(i);
      }
    }
  }

  private void times(String title, ToDoubleFunction<Samples> figure) {
    out.println("\n" + title + "\n");
    header("");
    for (int i = 0; i < contenders.size(); i++) {
      StringBuilder row = new StringBuilder("| " + contenders.get(i).name() + " |");
      for (int j = 0; j < corpora.size(); j++) {
        row.append(" ").append(rounded(figure.applyAsDouble(samples[i][j]), 1)).append(" |");
      }
      out.println(row);
    }
  }

  private void ratios(int other) {
    out.println("\nRatio to " + contenders.get(other).name() + " (below 1: ours is faster)\n");
    header(" geometric mean of the files |");
    for (int i = 0; i < contenders.size(); i++) {
      if (contenders.get(i).isOurs()) {
        ratioRow(i, other, "minimum", Samples::minimum);
        ratioRow(i, other, "median", Samples::median);
      }
    }
  }

  private void ratioRow(int ours, int other, String of, ToDoubleFunction<Samples> figure) {
    StringBuilder row = new StringBuilder("| " + contenders.get(ours).name() + ", " + of + " |");
    double logs = 0;
    int files = 0;
    for (int j = 0; j < corpora.size(); j++) {
      double ratio =
          figure.applyAsDouble(samples[ours][j]) / figure.applyAsDouble(samples[other][j]);
      row.append(" ").append(rounded(ratio, DIGITS)).append(" |");
      if (!corpora.get(j).equals(ParserDuel.VARIED)) {
        logs += Math.log(ratio);
        files++;
      }
    }
    out.println(row + " " + rounded(Math.exp(logs / files), DIGITS) + " |");
  }

  private void header(String more) {
    out.println("| | " + String.join(" | ", corpora) + " |" + more);
    out.println("|---|" + "---|".repeat(corpora.size()) + (more.isEmpty() ? "" : "---|"));
  }

  private static String rounded(double value, int digits) {
    return Double.isFinite(value)
        ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.CEILING).toPlainString()
        : "-";
  }
}
