package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import dev.peregrine.testing.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Finds the places of main code that use memory by its address, where Java can't check that the
 * memory lives. The page native-memory.md says for each why it does.
 */
final class NativeMemoryTest {
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?<!\\b(?:client|bound|file|server))\\.address\\(\\)" // those are of sockets
              + "|\\.reinterpret\\(|\\bofAddress\\(|\\bMemory\\.(?:ALL\\b|address\\()");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\d+) \\|");

  @Test
  void isExplainedForEveryAddress() throws IOException {
    Map<String, Integer> explained = new TreeMap<>();
    Path page = Repository.root().resolve("docs/designs/native-memory.md");
    for (Matcher row = ROW.matcher(Files.readString(page)); row.find(); ) {
      explained.put(row.group(1), Integer.valueOf(row.group(2)));
    }

    assertThat(explained)
        .as("uses of addresses by class: say in %s why that memory lives", page.getFileName())
        .isEqualTo(found());
  }

  private static Map<String, Integer> found() throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    for (Path folder : OwnCode.mainFolders()) {
      count(folder, found);
    }
    return found;
  }

  private static void count(Path folder, Map<String, Integer> found) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
        int uses = (int) ADDRESS.matcher(code).results().count();
        if (uses > 0) {
          found.put(file.getFileName().toString().replace(".java", ""), uses);
        }
      }
    }
  }
}
