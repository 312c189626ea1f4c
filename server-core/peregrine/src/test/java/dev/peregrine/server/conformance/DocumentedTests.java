package dev.peregrine.server.conformance;

import dev.peregrine.testing.OwnCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The existing tests, to compare with those that documents name. */
final class DocumentedTests {
  private static final Pattern NAME =
      Pattern.compile("`(?:([a-z0-9.]+)\\.)?([A-Z]\\w*(?:Test|IT))(?:\\.(\\w+))?`");

  private record Source(String packageName, String className, String text) {
    boolean has(@Nullable String inPackage, String inClass, @Nullable String method) {
      return className.equals(inClass)
          && (inPackage == null || packageName.equals(inPackage))
          && (method == null || text.contains("void " + method + "("));
    }
  }

  private final List<Source> sources = new ArrayList<>();

  /** Loads the tests of all modules that documents name. */
  static DocumentedTests load() throws IOException {
    DocumentedTests tests = new DocumentedTests();
    for (Path root : OwnCode.testFolders()) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          tests.add(root, file);
        }
      }
    }
    return tests;
  }

  private void add(Path root, Path file) throws IOException {
    String folder = String.valueOf(root.relativize(file).getParent());
    sources.add(
        new Source(
            folder.replace(file.getFileSystem().getSeparator(), "."),
            file.getFileName().toString().replace(".java", ""),
            Files.readString(file)));
  }

  /** Returns true if a line names a test, even one that doesn't exist. */
  static boolean namesOne(String line) {
    return NAME.matcher(line).find();
  }

  /** Returns the tests in a line, as class, method or both, that don't exist. */
  List<String> missing(String line) {
    List<String> missing = new ArrayList<>();
    for (MatchResult match : NAME.matcher(line).results().toList()) {
      boolean there =
          sources.stream()
              .anyMatch(each -> each.has(match.group(1), match.group(2), match.group(3)));
      if (!there) {
        missing.add(match.group());
      }
    }
    return missing;
  }
}
