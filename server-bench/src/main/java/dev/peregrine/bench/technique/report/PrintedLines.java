package dev.peregrine.bench.technique.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The lines that another program prints. */
final class PrintedLines {
  private PrintedLines() {}

  /**
   * Returns the lines that a program prints.
   *
   * @throws IOException if it can't be started or fails
   */
  static List<String> of(Path directory, List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = reader.readAllLines();
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(command.getFirst() + " ends with " + code);
      }
      return lines;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(command.getFirst() + " was interrupted", interrupted);
    }
  }
}
