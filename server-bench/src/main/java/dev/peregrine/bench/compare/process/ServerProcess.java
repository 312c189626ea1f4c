package dev.peregrine.bench.compare.process;

import dev.peregrine.bench.compare.server.ServerKind;
import dev.peregrine.bench.compare.server.ServerMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server in a separate VM. */
public final class ServerProcess implements AutoCloseable {
  /** The flags of every VM; {@link ServerKind#flags} has those of one server. */
  public static final List<String> FLAGS =
      List.of(
          "-XX:ActiveProcessorCount=1",
          "-Xms256m",
          "-Xmx256m",
          "-XX:+UseParallelGC",
          "-XX:-UsePerfData");

  private static final long START_SECONDS = 60;

  private final ChildProcesses processes;
  private final ServerKind kind;
  private final Process process;
  private final int port;

  private ServerProcess(ChildProcesses processes, ServerKind kind, Process process, int port) {
    this.processes = processes;
    this.kind = kind;
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @param log receives its output
   * @throws IOException if it doesn't listen within a minute; the message names the log
   */
  public static ServerProcess start(
      ServerKind kind, ChildProcesses processes, CpuPins pins, Path log)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(pins.onServerCpu());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(kind.flags());
    command.addAll(
        List.of(
            "-cp", System.getProperty("java.class.path"), ServerMain.class.getName(), kind.id()));
    Process process = processes.start(new ProcessBuilder(command).redirectError(log.toFile()));
    CompletableFuture<Integer> port = CompletableFuture.supplyAsync(() -> readPort(process));
    try {
      return new ServerProcess(processes, kind, process, port.get(START_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException failure) {
      processes.end(process);
      throw new IOException(kind.title() + " doesn't start; see " + log, failure);
    }
  }

  private static int readPort(Process process) {
    BufferedReader lines = process.inputReader();
    return lines
        .lines()
        .filter(line -> line.startsWith(ServerMain.LISTENING))
        .map(line -> Integer.parseInt(line.substring(ServerMain.LISTENING.length())))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the kind of the server. */
  public ServerKind kind() {
    return kind;
  }

  /** Returns the port that it listens on. */
  public int port() {
    return port;
  }

  /**
   * Returns the processor time that the VM has used, user and system; in steps of 10 ms on Linux.
   */
  public Duration cpuTime() {
    return process
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException(kind.title() + " has ended"));
  }

  @Override
  public void close() {
    processes.end(process);
  }
}
