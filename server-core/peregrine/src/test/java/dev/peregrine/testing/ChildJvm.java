package dev.peregrine.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link DrainingProgram} in a JVM of its own. */
public final class ChildJvm implements AutoCloseable {
  private static final long SECONDS_MAX = 120;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Thread reader;

  /** Starts the program, and returns when it serves. */
  public ChildJvm(String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.util.logging.manager=" + DrainingProgram.OpenLog.class.getName(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                DrainingProgram.class.getName()));
    command.addAll(List.of(args));
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    reader = Thread.ofPlatform().daemon().start(this::read);
    Await.until(() -> "the program serves: " + lines, this::serves);
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      out.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException ended) {
      // with the process
    }
  }

  private boolean serves() {
    if (!process.isAlive()) {
      throw new AssertionError("the program has ended: " + lines);
    }
    return lines.stream().anyMatch(line -> line.startsWith("/"));
  }

  /** Returns the port that the program listens on. */
  public int port() {
    String address = lines.stream().filter(line -> line.startsWith("/")).findFirst().orElseThrow();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** Sends SIGTERM. Its output is read on, which {@code Process.destroy} would end. */
  public void terminate() {
    boolean ignored = process.toHandle().destroy();
  }

  /** Waits for the end of the program, and returns its exit status. */
  public int exitValue() {
    try {
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new AssertionError("the program has not ended: " + lines);
      }
      reader.join();
      return process.exitValue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** Returns what the program has printed so far. */
  public String output() {
    return String.join("\n", lines);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Processes.awaitEnd(process, SECONDS_MAX);
  }
}
