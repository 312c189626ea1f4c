package dev.peregrine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The server of {@code ./mvnw -Prun}, with a shell in the place of Maven. */
@Timeout(300)
class UnderMavenIT {
  private static final String START = "\"$@\" & echo $!; wait";

  @Test
  void endsWithTheProcessThatHasStartedIt() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String path = System.getProperty("java.class.path");
    Process shell =
        new ProcessBuilder(
                "/bin/sh",
                "-c",
                START,
                "sh",
                java,
                "-cp",
                path,
                UnderMaven.class.getName(),
                "--port",
                "0")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out = shell.inputReader(StandardCharsets.UTF_8)) {
      long pid = 0;
      boolean isStarted = false;
      while (pid == 0 || !isStarted) { // in any order: two processes write
        String line = Objects.requireNonNull(out.readLine(), "it has ended");
        pid = line.matches("[0-9]+") ? Long.parseLong(line) : pid;
        isStarted |= line.contains("http://");
      }
      ProcessHandle server = ProcessHandle.of(pid).orElseThrow();

      shell.destroyForcibly();

      assertThat(server.onExit().get(120, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      shell.destroyForcibly();
    }
  }
}
