package dev.peregrine.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/** The files for tests that aren't on the class path. */
public final class Repository {
  private Repository() {}

  /** The repository's own folder. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve(".mvn"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no .mvn folder above the tests");
    }
    return folder;
  }

  /**
   * A file of the material that may lie beside the checkout; aborts the calling test, visibly, if
   * it doesn't.
   */
  public static Path shared(String name) {
    Path file = root().resolveSibling("shared").resolve(name);
    if (!Files.exists(file)) {
      skip(
          "../shared/"
              + name
              + " is not part of this repository; its own cases are in"
              + " src/test/resources/corpus, and run");
    }
    return file;
  }

  /** Aborts the calling test; {@link SkipNotes} prints the reason. */
  public static void skip(String reason) {
    Assumptions.abort(reason);
  }
}
