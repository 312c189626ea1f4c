package dev.peregrine.jdk.httpserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs whose main method returns while they have a server, in a JVM of their own. */
final class ServingProgram {
  private static final long SECONDS_MAX = 200;

  private ServingProgram() {}

  /** What a program does before its main method returns. */
  enum Kind {
    CREATES,
    STARTS,
    STARTS_ON_A_DAEMON_THREAD
  }

  /** Starts a program, with options of the JVM. */
  static Process start(Kind kind, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m"));
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(ServingProgram.class.getName(), kind.name()));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Returns the port that a program prints; the JVM may print warnings before. */
  static int port(Process program) throws IOException {
    BufferedReader out = program.inputReader(UTF_8);
    String line = out.readLine();
    while (line != null && !line.matches("[0-9]+")) {
      line = out.readLine();
    }
    return Integer.parseInt(String.valueOf(line));
  }

  /** Returns the exit code, or ends the program after a while. */
  static int exitCode(Process program) throws InterruptedException {
    if (!program.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
      program.destroyForcibly();
      throw new AssertionError("the program still runs");
    }
    return program.exitValue();
  }

  /** Creates a server that answers, and that stops at /stop. */
  @SuppressWarnings("SystemOut")
  public static void main(String[] args) throws Exception {
    HttpServer server = HttpServer.create(TestServer.loopback(0), 0);
    server.createContext("/", TestServer.answering("running"));
    server.createContext(
        "/stop",
        exchange -> {
          TestServer.answer(exchange, 200, "stopping");
          server.stop(1);
        });
    switch (Kind.valueOf(args[0])) {
      case CREATES -> {}
      case STARTS -> server.start();
      case STARTS_ON_A_DAEMON_THREAD -> Thread.ofPlatform().daemon().start(server::start).join();
    }
    System.out.println(server.getAddress().getPort());
  }
}
