package dev.peregrine.cli.options;

import java.util.Comparator;
import java.util.stream.Stream;

/** Finds the name that a mistyped word was meant to be. */
final class Closest {
  private static final int CHANGES_MAX = 3;

  private Closest() {}

  /**
   * Returns a question such as "; did you mean --port?" if a name is at most three changes and half
   * of its length away, else nothing.
   */
  static String question(String word, Stream<String> names) {
    return names
        .filter(name -> changes(word, name) <= Math.min(CHANGES_MAX, name.length() / 2))
        .min(Comparator.comparingInt(name -> changes(word, name)))
        .map(name -> "; did you mean " + name + "?")
        .orElse("");
  }

  /** Counts the characters to insert, remove or replace (Levenshtein's distance). */
  private static int changes(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
