package dev.peregrine.server.attack;

import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.Processes;
import dev.peregrine.testing.Servers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Another JVM with the test's class path, told what to do and answering line by line. */
public final class Child implements AutoCloseable {
  private static final long END_SECONDS = 120;

  /** The lines that it has written to its standard error. */
  public final List<String> errors = new CopyOnWriteArrayList<>();

  private final Process process;
  private final PrintStream in;
  private final BufferedReader out;

  private Child(List<String> command) throws IOException {
    process = new ProcessBuilder(command).start();
    in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    out = process.inputReader(StandardCharsets.UTF_8);
    BufferedReader err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
    Thread.ofPlatform().daemon().start(() -> err.lines().forEach(errors::add));
  }

  /**
   * Runs a main class.
   *
   * @param shellPrefix what the shell does first, such as setting a limit
   */
  public static Child start(String shellPrefix, List<String> jvmArgs, Class<?> main, String... args)
      throws IOException {
    List<String> java = new ArrayList<>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    java.addAll(List.of("-cp", System.getProperty("java.class.path")));
    java.addAll(List.of("--add-modules", "jdk.incubator.vector", "-ea"));
    java.add("--enable-native-access=ALL-UNNAMED");
    java.add("-Dperegrine.test.tlsEngine=" + Certificates.ENGINE);
    Servers.addProperties(java);
    java.addAll(jvmArgs);
    java.add(main.getName());
    java.addAll(List.of(args));
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", shellPrefix + " exec \"$@\"", "sh"));
    command.addAll(java);
    return new Child(command);
  }

  /** Sends a line and returns the next line that comes back. */
  public String ask(String question) throws IOException {
    in.println(question);
    return line();
  }

  /** Returns the next line that the child has written. */
  public String line() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the child has ended; it said " + errors);
    }
    return line;
  }

  /** Returns its id. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it without giving it a chance to do anything (SIGKILL). */
  public void kill() throws InterruptedException {
    int ignored = process.destroyForcibly().waitFor();
  }

  /** Waits for its end. Returns its exit code. */
  public int awaitEnd() throws InterruptedException {
    Processes.awaitEnd(process, END_SECONDS);
    return process.waitFor();
  }

  @Override
  public void close() {
    in.close();
    Processes.awaitEnd(process, END_SECONDS);
  }
}
