package dev.peregrine.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code java -jar peregrine.jar} as a separate process. */
final class FatJar implements AutoCloseable {
  static final List<String> WITH_VECTORS = List.of("--add-modules", "jdk.incubator.vector");
  static final List<String> WITHOUT_VECTORS = List.of();

  static final Path JAR = Path.of(System.getProperty("basedir", "."), "target/peregrine.jar");

  /** The last line of a server that has completed all requests. */
  static final Pattern COMPLETE_END =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d Peregrine has stopped:"
              + " shut down in \\d+ ms; nothing was cut short");

  /** Variables with options of a JVM, which writes a line on standard error for each. */
  private static final List<String> ANNOUNCED =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static final Pattern URL = Pattern.compile("http://(?:127\\.0\\.0\\.1|localhost):(\\d+)");
  private static final int PATIENCE_SECONDS = 120;

  private final Process process;
  private final BufferedReader out;
  private final Path err;

  FatJar(Path folder, List<String> vmOptions, String... args) throws IOException {
    this(folder, vmOptions, Map.of(), args);
  }

  /** Starts the jar with variables added to the environment. */
  FatJar(Path folder, List<String> vmOptions, Map<String, String> environment, String... args)
      throws IOException {
    this(folder, environment, command(vmOptions, args));
  }

  /** Starts the jar by a command of its own, with variables added to the environment. */
  FatJar(Path folder, Map<String, String> environment, List<String> command) throws IOException {
    err = Files.createTempFile(folder, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
    ANNOUNCED.forEach(builder.environment()::remove);
    builder.environment().putAll(environment);
    process = builder.start();
    out = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Returns the command that starts the jar. */
  static List<String> command(List<String> vmOptions, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(vmOptions);
    command.addAll(List.of("-jar", JAR.toString()));
    command.addAll(List.of(args));
    return command;
  }

  /**
   * Starts the jar with the rights of a user who may not do everything: this one, or nobody if this
   * one is root.
   */
  static FatJar withoutPrivileges(Path folder, String... args) throws IOException {
    List<String> command = new ArrayList<>(unprivileged());
    command.addAll(command(WITHOUT_VECTORS, args));
    return new FatJar(folder, Map.of(), command);
  }

  /** Returns true if {@link #withoutPrivileges} works here. */
  static boolean canDropPrivileges() {
    List<String> command = new ArrayList<>(unprivileged());
    command.addAll(List.of("test", "-r", JAR.toString()));
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Returns a prefix for commands; it is empty unless this user is root. */
  static List<String> unprivileged() {
    boolean isRoot = System.getProperty("user.name").equals("root");
    return isRoot
        ? List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        : List.of();
  }

  /** Waits for the next line on standard output. */
  String line() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("no line: " + errors());
    }
    return line;
  }

  /** Waits until the server prints where it listens; returns the port. */
  int port() throws IOException {
    return port(new ArrayList<>());
  }

  /** As {@link #port()}; adds the lines of standard output up to that one to a list. */
  int port(List<String> lines) throws IOException {
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      lines.add(line);
      Matcher url = URL.matcher(line);
      if (url.find()) {
        return Integer.parseInt(url.group(1));
      }
    }
    throw new IOException("no server: " + errors());
  }

  /** Signals the process to end, as SIGTERM does. */
  void terminate() {
    process.toHandle().destroy(); // unlike Process.destroy this leaves the streams open
  }

  /** Sends the process a signal. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-s", name, Long.toString(pid())).inheritIO().start().waitFor();
  }

  /** Returns the id of the process. */
  long pid() {
    return process.pid();
  }

  /** Waits for the end; returns the exit status. */
  int exitValue() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the server goes on");
    }
    return process.exitValue();
  }

  /** Waits for the end; returns the lines on standard output since the last call. */
  List<String> output() {
    return out.lines().toList();
  }

  /** Returns the lines on standard error so far. */
  List<String> errors() throws IOException {
    return Files.readAllLines(err);
  }

  /** Waits for a line on standard error that contains a text. */
  void awaitError(String text) throws IOException {
    awaitLine(err, text);
  }

  /** Waits for a line of a file that contains a text. */
  static void awaitLine(Path file, String text) throws IOException {
    long start = System.nanoTime();
    while (Files.readAllLines(file).stream().noneMatch(line -> line.contains(text))) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
        throw new AssertionError("no line with " + text + " in " + Files.readAllLines(file));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Override
  public void close() throws IOException {
    process.toHandle().destroyForcibly();
    process.onExit().join();
    out.close();
  }
}
