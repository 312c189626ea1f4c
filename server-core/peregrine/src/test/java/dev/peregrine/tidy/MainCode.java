package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The sources of the modules, without their tests. */
final class MainCode {
  private MainCode() {}

  /**
   * Returns all source files below {@code src/main/java} of the artifacts, the examples and the
   * benchmarks.
   */
  static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module : List.of("server-examples", "server-bench")) {
      addFiles(Repository.root().resolve(module).resolve("src/main/java"), files);
    }
    files.addAll(OwnCode.mainFiles());
    assertThat(files).hasSizeGreaterThan(200);
    return files;
  }

  private static void addFiles(Path folder, List<Path> files) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      found.filter(path -> path.toString().endsWith(".java")).forEach(files::add);
    }
  }

  /** Returns the name of the package that a source file is in. */
  static String packageOf(Path file) {
    String path = file.toString();
    String folder = path.substring(path.indexOf("/src/main/java/") + "/src/main/java/".length());
    int end = folder.lastIndexOf('/');
    return end < 0 ? "" : folder.substring(0, end).replace('/', '.');
  }
}
