package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the code in the documents is code that is compiled and run. A block of Java or Kotlin
 * in the guide and in docs/RUN-IT.md follows {@code <!-- snippet: NAME -->}, and equals the lines
 * between {@code // snippet: NAME} and {@code // end} in the sources of this module or of an
 * adapter.
 */
class GuideTextTest {
  private static final Set<String> LANGUAGES = Set.of("```java", "```kotlin");
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
  private static final List<Path> SOURCES =
      List.of(ROOT.resolve("server-examples/src"), ROOT.resolve("server-adapters"));

  @Test
  void showsCodeThatIsTested() throws IOException {
    Map<String, String> shown = new LinkedHashMap<>();
    for (Path page : pages()) {
      addBlocks(Files.readAllLines(page), shown);
    }

    assertThat(shown).isEqualTo(snippets());
  }

  @Test
  void beginsWithAProgramThatCompiles(@TempDir Path folder) throws Exception {
    String page = Files.readString(ROOT.resolve("README.md"));
    String fence = "```java\n";
    int start = page.indexOf(fence) + fence.length();
    Path program = folder.resolve("Program.java");
    Files.writeString(program, page.substring(start, page.indexOf("```", start)));
    String classes = System.getProperty("java.class.path");

    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", classes, "-d", "" + folder, "" + program))
        .isZero();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> guide = Files.list(ROOT.resolve("docs/guide"))) {
      return Stream.concat(guide, Stream.of(ROOT.resolve("docs/RUN-IT.md"))).toList();
    }
  }

  /** Adds the blocks of code by their names. */
  private static void addBlocks(List<String> lines, Map<String, String> blocks) {
    for (int i = 0; i < lines.size(); i++) {
      if (LANGUAGES.contains(lines.get(i))) {
        String name = name(lines.get(i - 1), "<!-- snippet: ", " -->");
        int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
        assertThat(blocks.put(name, text(lines.subList(i + 1, end)))).as(name).isNull();
        i = end;
      }
    }
  }

  private static Map<String, String> snippets() throws IOException {
    Map<String, String> snippets = new LinkedHashMap<>();
    for (Path source : sources()) {
      List<String> lines = Files.readAllLines(source);
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).strip().startsWith("// snippet: ")) {
          String name = name(lines.get(i).strip(), "// snippet: ", "");
          int end = i + 1;
          while (!lines.get(end).strip().equals("// end")) {
            end++;
          }
          assertThat(snippets.put(name, text(lines.subList(i + 1, end)))).as(name).isNull();
        }
      }
    }
    return snippets;
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path folder : SOURCES) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(file -> file.toString().matches(".*/src/.*\\.(java|kt)"))
            .forEach(sources::add);
      }
    }
    return sources;
  }

  private static String name(String line, String prefix, String suffix) {
    assertThat(line).startsWith(prefix).endsWith(suffix);
    return line.substring(prefix.length(), line.length() - suffix.length());
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines).stripTrailing().stripIndent();
  }
}
