package dev.peregrine.server.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Processes;
import dev.peregrine.testing.ServerLog;
import dev.peregrine.testing.Servers;
import dev.peregrine.testing.ServingJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FirstUseTest {
  /** An initialisation of ours that runs code, in the log of the JVM: the thread and the class. */
  private static final Pattern INITIALISATION =
      Pattern.compile("\\[(\\d+)\\s*] \\d+ Initializing '(dev/peregrine/[^']+)' \\(0x.*");

  @Test
  void findsAllItsClassesAndLogsNothing() {
    try (ServerLog log = new ServerLog()) {
      FirstUse.prepare();

      assertThat(log.take(Level.ALL)).isEmpty();
    }
  }

  /**
   * What a request or a response first uses would be initialised on the stack of a handler. If that
   * ends there, the class can never be used again, so that all later responses fail.
   */
  @Test
  void leavesNoInitialisationToTheStackOfAHandler(@TempDir Path folder) throws Exception {
    String output =
        Processes.run(
            folder,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                ServingJvm.NATIVE,
                "-Xlog:class+init:stdout:tid",
                "-cp",
                ServingJvm.classPath(),
                FirstUseProgram.class.getName(),
                Servers.TRANSPORT.name(),
                folder.resolve("file").toString()));

    assertThat(output).contains("200 OK", "302 Found", "304 Not Modified", "500 Internal");
    assertThat(initialisedInHandlers(output)).isEmpty();
  }

  /** Returns the classes that were initialised by the thread of the handlers in one of them. */
  private static List<String> initialisedInHandlers(String output) {
    String marker = FirstUseProgram.InitialisedByTheLoop.class.getName().replace('.', '/');
    String loop = "";
    boolean inHandler = false;
    List<String> found = new ArrayList<>();
    for (String line : output.lines().toList()) {
      Matcher initialisation = INITIALISATION.matcher(line);
      if (line.endsWith(FirstUseProgram.BEGIN)) {
        inHandler = true;
      } else if (line.endsWith(FirstUseProgram.END)) {
        inHandler = false;
      } else if (initialisation.matches() && initialisation.group(2).equals(marker)) {
        loop = initialisation.group(1);
      } else if (inHandler && initialisation.matches() && initialisation.group(1).equals(loop)) {
        found.add(initialisation.group(2));
      }
    }
    assertThat(loop).isNotEmpty();
    return found;
  }
}
