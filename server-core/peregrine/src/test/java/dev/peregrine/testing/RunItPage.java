package dev.peregrine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.regex.Pattern;

/** The configurations that docs/RUN-IT.md shows. */
public final class RunItPage {
  private RunItPage() {}

  /** Returns the whole page. */
  public static String text() {
    try {
      return Files.readString(Repository.root().resolve("docs/RUN-IT.md"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Returns the first block in a language that contains a text. */
  public static String block(String language, String contained) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(text())
        .results()
        .map(block -> block.group(1))
        .filter(block -> block.contains(contained))
        .findFirst()
        .orElseThrow();
  }
}
