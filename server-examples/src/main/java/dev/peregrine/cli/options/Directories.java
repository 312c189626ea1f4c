package dev.peregrine.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;

/** Checks of directories that are named by options. */
final class Directories {
  private Directories() {}

  /**
   * Returns the directory that an option names.
   *
   * @throws IllegalArgumentException if it is not a directory that can be read
   */
  static Path check(OptionValue setting) {
    Path path = setting.path();
    if (!Files.isDirectory(path)) {
      throw setting.wrong(
          Files.exists(path) ? ", which is not a directory" : ", which doesn't exist");
    }
    if (!Files.isReadable(path) || !Files.isExecutable(path)) {
      throw setting.wrong(", which this user may not read");
    }
    return path;
  }
}
