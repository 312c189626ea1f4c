package dev.peregrine.server.accesslog;

import dev.peregrine.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the files that access logs write. */
final class LogLines {
  private LogLines() {}

  /** Waits until a file has that many lines, and returns them. */
  static List<String> await(Path file, int count) {
    Await.until(
        () -> file + " has " + count + " lines: " + read(file), () -> read(file).size() >= count);
    return read(file);
  }

  static List<String> read(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
