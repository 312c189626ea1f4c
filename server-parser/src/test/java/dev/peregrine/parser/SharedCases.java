package dev.peregrine.parser;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * The conformance cases that lie beside the checkout; tests that need them are skipped elsewhere.
 */
public final class SharedCases {
  private SharedCases() {}

  /** The cases of one file; aborts the calling test if it isn't there. */
  @SuppressWarnings("unchecked")
  public static List<Map<String, @Nullable Object>> read(String fileName) throws IOException {
    Path file = repository().resolveSibling("shared").resolve("conformance").resolve(fileName);
    if (!Files.exists(file)) {
      String reason =
          "../shared/conformance/"
              + fileName
              + " is not part of this repository; its own cases are in"
              + " server-core/peregrine/src/test/resources/corpus, and run";
      System.out.println("SKIPPED: " + reason);
      Assumptions.abort(reason);
    }
    var content = (Map<String, Object>) requireNonNull(Json.read(Files.readString(file)));
    return (List<Map<String, @Nullable Object>>) requireNonNull(content.get("cases"));
  }

  public static byte[] bytes(Map<String, @Nullable Object> testCase, String key) {
    return Base64.getDecoder().decode(text(testCase, key));
  }

  public static String text(Map<String, @Nullable Object> testCase, String key) {
    return (String) requireNonNull(testCase.get(key));
  }

  /** Names and values as the case lists them. */
  @SuppressWarnings("unchecked")
  public static List<List<String>> pairs(Map<String, @Nullable Object> testCase, String key) {
    return (List<List<String>>) requireNonNull(testCase.get(key));
  }

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve(".mvn"))) {
      folder = requireNonNull(folder.getParent(), "no .mvn folder above the working directory");
    }
    return folder;
  }
}
