package dev.peregrine.tidy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The known offenders: lines of a rule, a subject and its count, and a reason after "#". */
final class Baseline {
  private static final String FILE = "baseline.txt";

  private final Map<String, Integer> counts = new TreeMap<>();
  private final Set<String> withReason = new TreeSet<>();

  private Baseline() {}

  static Baseline read() {
    Baseline baseline = new Baseline();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(Baseline.class.getResourceAsStream(FILE), FILE), UTF_8))) {
      lines.lines().forEach(baseline::add);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return baseline;
  }

  private void add(String line) {
    int comment = line.indexOf('#');
    String entry = (comment < 0 ? line : line.substring(0, comment)).strip();
    if (!entry.isEmpty()) {
      String[] words = entry.split(" +", -1);
      String key = words[0] + " " + words[1];
      counts.put(key, Integer.valueOf(words[2]));
      if (comment >= 0 && !line.substring(comment + 1).isBlank()) {
        withReason.add(key);
      }
    }
  }

  /** Returns true if the baseline says why an offender is one. */
  boolean hasReason(String rule, String subject) {
    return withReason.contains(rule + " " + subject);
  }

  /** Returns the offenders that the baseline lists for a rule, with their counts. */
  Map<String, Integer> of(String rule) {
    Map<String, Integer> found = new TreeMap<>();
    String prefix = rule + " ";
    counts.forEach(
        (key, count) -> {
          if (key.startsWith(prefix)) {
            found.put(key.substring(prefix.length()), count);
          }
        });
    return found;
  }
}
