package dev.peregrine.server.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.protocol.Leniency;
import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that every promise of docs/CONFORMANCE.md names a test. */
class ConformanceTableTest {
  private static final Pattern CASE = Pattern.compile("`(rfc[\\w-]+/[\\w-]+)`");
  private static final int ROWS_MIN = 100;

  @Test
  void everyRowNamesATestThatExists() throws IOException {
    Set<String> cases = Corpus.load().stream().map(CorpusCase::name).collect(Collectors.toSet());
    DocumentedTests tests = DocumentedTests.load();
    List<String> problems = new ArrayList<>();
    int rows = 0;
    for (String line : Files.readAllLines(table())) {
      if (!line.startsWith("| ") || line.startsWith("| Section") || line.startsWith("| ---")) {
        continue;
      }
      rows++;
      List<String> missing = missing(line, cases, tests);
      if (!missing.isEmpty()) {
        problems.add(missing + " in " + line);
      }
      if (!DocumentedTests.namesOne(line) && !CASE.matcher(line).find() && !isHeading(line)) {
        problems.add("no test in " + line);
      }
    }
    assertThat(problems).isEmpty();
    assertThat(rows).isGreaterThan(ROWS_MIN);
  }

  @Test
  void namesEveryLenientOption() throws IOException {
    assertThat(Files.readString(table()))
        .contains(Arrays.stream(Leniency.values()).map(kind -> "`" + kind + "`").toList());
  }

  private static boolean isHeading(String line) {
    return line.startsWith("| Option");
  }

  private static List<String> missing(String line, Set<String> cases, DocumentedTests tests) {
    List<String> missing = new ArrayList<>(tests.missing(line));
    CASE.matcher(line)
        .results()
        .map(match -> match.group(1))
        .filter(name -> !cases.contains(name))
        .forEach(missing::add);
    return missing;
  }

  private static Path table() {
    return Repository.root().resolve("docs").resolve("CONFORMANCE.md");
  }
}
