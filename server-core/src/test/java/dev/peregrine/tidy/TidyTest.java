package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    try (Stream<Path> modules = Files.list(Repository.root())) {
      for (Path main : modules.map(module -> module.resolve("src/main/java")).toList()) {
        if (Files.isDirectory(main)) {
          addSources(main, files);
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(200);
    sources = Sources.parse(files);
  }

  private static void addSources(Path folder, List<Source> files) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path file : found.filter(path -> path.toString().endsWith(".java")).toList()) {
        files.add(new Source(file.toUri(), Files.readString(file)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasNoOffenderThatTheBaselineDoesNotList(Rule rule) {
    Map<String, Integer> listed = BASELINE.of(rule);
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
    List<String> mended = new ArrayList<>(BASELINE.of(rule).keySet());
    mended.removeAll(sources.offenders(rule).keySet());

    assertThat(mended).as("to be removed from the baseline of %s", rule).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void findsAnOffenderOfEachRule(Rule rule) {
    String method = "void m(int a, int b, int c, int d, int e, int f, int g, int h) {";
    String type =
        "/** What it is. */ class T { Object l = System.getLogger(\"\"); %s%s} }%s"
            .formatted(
                method, "\n".repeat(Rule.METHOD_LINES.most), "\n".repeat(Rule.FILE_LINES.most));

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
