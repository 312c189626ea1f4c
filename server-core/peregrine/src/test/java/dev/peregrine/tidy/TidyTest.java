package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks all main code against the house rules. The known offenders are in baseline.txt. */
final class TidyTest {
  private static final Baseline BASELINE = Baseline.read();
  private static Sources sources;

  @BeforeAll
  static void parse() throws IOException {
    List<Source> files = new ArrayList<>();
    for (Path file : MainCode.files()) {
      files.add(new Source(file.toUri(), Files.readString(file)));
    }
    sources = Sources.parse(files);
  }

  @ParameterizedTest
  @EnumSource
  void hasNoOffenderThatTheBaselineDoesNotList(Rule rule) {
    Map<String, Integer> listed = BASELINE.of(rule.toString());
    List<String> worse = new ArrayList<>();
    sources
        .offenders(rule)
        .forEach(
            (subject, count) -> {
              if (count > listed.getOrDefault(subject, rule.most)) {
                worse.add(rule + " " + subject + " " + count);
              }
            });

    assertThat(worse).as("above what is fine (%d) or listed", rule.most).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void listsNoOffenderThatHasBeenMended(Rule rule) {
    Map<String, Integer> found = sources.offenders(rule);
    List<String> mended = new ArrayList<>();
    BASELINE
        .of(rule.toString())
        .forEach(
            (subject, listed) -> {
              int count = found.getOrDefault(subject, 0);
              if (count == 0 || count <= listed - rule.slack) {
                mended.add(rule + " " + subject + " " + count);
              }
            });

    assertThat(mended).as("better than baseline.txt has it: take the new count").isEmpty();
  }

  @Test
  void knowsAReasonForEachLongFile() {
    List<String> unexplained = new ArrayList<>(BASELINE.of("file-lines").keySet());
    unexplained.removeIf(subject -> BASELINE.hasReason("file-lines", subject));

    assertThat(unexplained).as("a long file wants its reason after \"#\"").isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void findsAnOffenderOfEachRule(Rule rule) {
    String method = "void m(int a, int b, int c, int d, int e, int f, int g, int h) {";
    String type =
        "/** What it is. */ class T { Object l = System.getLogger(\"\"); boolean ignored; %s%s} }%s"
            .formatted(
                method, "\n".repeat(Rule.METHOD_LINES.most), "\n".repeat(Rule.CLASS_LINES.most));

    assertThat(Sources.parse(List.of(source("a/T"), source("b/T", type))).offenders(rule))
        .containsOnlyKeys(
            switch (rule) {
              case METHOD_LINES, PARAMETERS -> "T.m";
              default -> "T";
            });
  }

  @Test
  void findsNothingInWhatIsAtTheLimits() {
    String method = "void m(int a, int b, int c, int d, int e, int f, int g) {";
    String type =
        "/** Counts what it is. */ class T { %s%s} }%s"
            .formatted(
                method,
                "\n".repeat(Rule.METHOD_LINES.most - 1),
                "\n".repeat(Rule.FILE_LINES.most - Rule.METHOD_LINES.most + 1));
    Sources found = Sources.parse(List.of(source("a/T", type), source("b/U")));

    assertThat(Rule.values()).allSatisfy(rule -> assertThat(found.offenders(rule)).isEmpty());
  }

  @Test
  void countsTheSuperclassesAndTheStaticHelpersOfAClass() {
    String part = "%s" + "\n".repeat(Rule.CLASS_LINES.most / 2);
    Sources found =
        Sources.parse(
            List.of(
                source("a/Whole", part.formatted("class Whole extends Above {}")),
                source("a/Above", part.formatted("class Above {}")),
                source("a/Help", "class Help { private Help() {} static void end(Whole it) {} }"),
                source("b/Above", part.formatted("class Above {}")),
                source("b/Help", "class Help { static void end(Whole it) {} }")));

    assertThat(found.offenders(Rule.CLASS_LINES)).containsOnlyKeys("Whole");
    assertThat(found.offenders(Rule.CLASS_LINES)).containsValue(Rule.CLASS_LINES.most + 1);
  }

  private static Source source(String name) {
    return source(name, "class " + name.substring(name.indexOf('/') + 1) + " {}");
  }

  private static Source source(String name, String text) {
    return new Source(URI.create("memory:///" + name + ".java"), text);
  }

  /** A source that is given as text. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(URI uri, String text) {
      super(uri, JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
