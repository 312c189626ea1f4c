package dev.peregrine.bench.technique.report;

import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The figures within hand-written text: the part between {@code <!--key-->} and the next {@code
 * <!--/-->}. If there is a {@code <!--key ratio-->}, then the ratios alone are there too.
 */
final class Figures {
  private static final double BACKGROUND_BYTES = 16; // fewer bytes are the JVM's, not an object
  private static final String END = "<!--/-->";

  private Figures() {}

  /** Returns the text with the figures of one group replaced. */
  static String replaced(String text, Group group, List<Measured> all) {
    String begin = "<!--" + group.key() + "-->";
    if (!text.contains(begin)) {
      throw new IllegalStateException("no place for the figures of " + group.key());
    }
    String anchor = "<a id=\"" + group.key() + "\"></a>";
    String replaced = between(text, begin, anchor + figures(group, all));
    return between(replaced, "<!--" + group.key() + " ratio-->", ratios(group, all));
  }

  private static String between(String text, String begin, String figures) {
    return Pattern.compile(Pattern.quote(begin) + ".*?" + END)
        .matcher(text)
        .replaceFirst(Matcher.quoteReplacement(begin + figures + END));
  }

  private static String figures(Group group, List<Measured> all) {
    StringJoiner figures = new StringJoiner("<br>");
    for (Group.Pair pair : group.pairs()) {
      for (Measured plain : plain(pair, all)) {
        figures.add(figure(group, pair, plain, Measured.find(all, pair.ours(), plain.input())));
      }
    }
    return figures.toString();
  }

  private static String figure(Group group, Group.Pair pair, Measured plain, Measured ours) {
    String what = plain.input();
    if (group.pairs().size() > 1) {
      what = group.words(pair) + (what.isEmpty() ? "" : ", " + what);
    }
    String figures = Measured.time(plain.nanos()) + " → " + Measured.time(ours.nanos());
    figures +=
        plain.differsFrom(ours) ? ", **" + ratio(plain, ours) + " ×**" : ", no difference shown";
    if (plain.bytes() >= BACKGROUND_BYTES || ours.bytes() >= BACKGROUND_BYTES) {
      figures += ", " + Measured.bytes(plain.bytes()) + " → " + Measured.bytes(ours.bytes()) + " B";
    }
    return what.isEmpty() ? figures : what + ": " + figures;
  }

  private static String ratios(Group group, List<Measured> all) {
    return group.pairs().stream()
        .map(pair -> ratios(group, pair, all))
        .collect(Collectors.joining("<br>"));
  }

  private static String ratios(Group group, Group.Pair pair, List<Measured> all) {
    String ratios =
        plain(pair, all).stream()
            .map(plain -> ratio(plain, Measured.find(all, pair.ours(), plain.input())))
            .collect(Collectors.joining(", "));
    return group.pairs().size() > 1 ? group.words(pair) + " " + ratios : ratios;
  }

  private static List<Measured> plain(Group.Pair pair, List<Measured> all) {
    return all.stream().filter(one -> one.form().equals(pair.plain())).toList();
  }

  private static String ratio(Measured plain, Measured ours) {
    return plain.differsFrom(ours) ? Measured.threeDigits(plain.ratio(ours)) : "none";
  }
}
