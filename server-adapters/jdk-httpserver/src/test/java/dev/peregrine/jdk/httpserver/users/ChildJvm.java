package dev.peregrine.jdk.httpserver.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program in a JVM of its own, with the class path of the tests; it is killed at the end. */
final class ChildJvm implements AutoCloseable {
  private static final long SECONDS_MAX = 120;

  private final Process process;
  private final BlockingQueue<String> unread = new LinkedBlockingQueue<>();
  private final List<String> output = new ArrayList<>();
  private final Thread reader;

  private ChildJvm(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    reader = Thread.ofPlatform().daemon().start(this::read);
  }

  /** Starts a JVM with options of its own, then what it runs and the arguments of that. */
  static ChildJvm start(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                classPath()));
    command.addAll(List.of(options));
    return new ChildJvm(command);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Returns the option that loads the agent whose jar in the class path has a name. */
  static String agent(String jar, String options) {
    Path path =
        Arrays.stream(classPath().split(File.pathSeparator))
            .map(Path::of)
            .filter(entry -> entry.getFileName().toString().matches(jar))
            .findFirst()
            .orElseThrow(() -> new AssertionError(jar + " is not in the class path"));
    return "-javaagent:" + path + (options.isEmpty() ? "" : "=" + options);
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(unread::add);
    } catch (IOException | UncheckedIOException ended) {
      // with the process
    }
  }

  /** Waits for a line that contains a pattern, and returns the match. */
  Matcher await(Pattern pattern) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
    while (true) {
      String line = unread.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("no " + pattern + " in:\n" + String.join("\n", output));
      }
      output.add(line);
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return matcher;
      }
    }
  }

  /** Waits for a line that contains a pattern, and returns the port that is its first group. */
  int awaitPort(Pattern pattern) throws InterruptedException {
    return Integer.parseInt(await(pattern).group(1));
  }

  /** Ends the standard input, for which programs wait. */
  void endInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Waits for the end of the program, which must be successful. */
  void awaitEnd() throws InterruptedException {
    assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS))
        .as("ends after: %s %s", output, unread)
        .isTrue();
    reader.join();
    assertThat(process.exitValue()).as("%s %s", output, unread).isZero();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
  }
}
