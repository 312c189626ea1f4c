package dev.peregrine.bench.technique.report;

import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures within hand-written text: the part between {@code <!--key-->} and the next {@code
 * <!--/-->}.
 */
final class Figures {
  private static final double BACKGROUND_BYTES = 16; // fewer bytes are the JVM's, not an object

  private Figures() {}

  /** Returns the text with the figures of one group replaced. */
  static String replaced(String text, Group group, List<Measured> all) {
    Pattern place = Pattern.compile("(<!--" + group.key() + "-->).*?(<!--/-->)");
    Matcher found = place.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("no place for the figures of " + group.key());
    }
    return found.replaceFirst("$1" + Matcher.quoteReplacement(of(group, all)) + "$2");
  }

  private static String of(Group group, List<Measured> all) {
    StringJoiner figures = new StringJoiner("<br>");
    for (Group.Pair pair : group.pairs()) {
      for (String input : Measured.inputs(all)) {
        Measured plain = Measured.find(all, pair.plain(), input);
        Measured ours = Measured.find(all, pair.ours(), input);
        figures.add(of(group, plain, ours));
      }
    }
    return figures.toString();
  }

  private static String of(Group group, Measured plain, Measured ours) {
    String what = plain.input();
    if (group.pairs().size() > 1) {
      what = Measured.words(plain.form()) + (what.isEmpty() ? "" : ", " + what);
    }
    String figures = Measured.time(plain.nanos()) + " → " + Measured.time(ours.nanos());
    if (plain.bytes() >= BACKGROUND_BYTES || ours.bytes() >= BACKGROUND_BYTES) {
      figures += ", " + Measured.bytes(plain.bytes()) + " → " + Measured.bytes(ours.bytes()) + " B";
    }
    return what.isEmpty() ? figures : what + ": " + figures;
  }
}
