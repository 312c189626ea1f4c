package dev.peregrine.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that a test has started. */
public final class Processes {
  private static final int SECONDS_MAX = 120;

  private Processes() {}

  /**
   * Runs a program to its end, which must be successful, and returns its output.
   *
   * @param directory an empty directory for the output
   */
  public static String run(Path directory, List<String> command) throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("exit code of %s", command).isZero();
    return Files.readString(output, StandardCharsets.ISO_8859_1);
  }

  /** Returns true if a command can be run, and ends with success. */
  public static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /** Waits for the end of a process that was signalled to end, and kills it if it doesn't. */
  public static void awaitEnd(Process process, long secondsMax) {
    try {
      if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
