package dev.peregrine.bench.compare.load;

import dev.peregrine.bench.compare.process.ChildProcesses;
import dev.peregrine.bench.compare.process.CpuPins;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A generator by wrk with one thread. Our script sends the batches and prints the result in one
 * line.
 */
public final class WrkGenerator implements LoadGenerator {
  private static final String PROGRAM = "wrk";
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final ChildProcesses processes;
  private final CpuPins pins;
  private final Path folder;

  /**
   * Creates a generator that runs on the generator's processor.
   *
   * @param folder for its scripts and output
   */
  public WrkGenerator(ChildProcesses processes, CpuPins pins, Path folder) {
    this.processes = processes;
    this.pins = pins;
    this.folder = folder;
  }

  /** Returns true if wrk is installed. */
  public static boolean isInstalled() {
    return ChildProcesses.isInstalled(PROGRAM);
  }

  @Override
  public String description() {
    return version() + ", 1 thread";
  }

  private String version() {
    try {
      Process wrk = processes.start(new ProcessBuilder(PROGRAM, "-v").redirectErrorStream(true));
      try (BufferedReader lines = wrk.inputReader()) {
        String line = lines.readLine();
        return line == null ? PROGRAM : line.replaceAll(" Copyright.*", "");
      } finally {
        processes.end(wrk);
      }
    } catch (IOException unknown) {
      return PROGRAM;
    }
  }

  @Override
  public LoadResult run(Workload workload, int port, Duration time)
      throws IOException, InterruptedException {
    Path script =
        Files.writeString(folder.resolve("wrk-" + workload.id() + ".lua"), WrkScript.of(workload));
    Path output = folder.resolve("wrk.log");
    long seconds = Math.max(1, time.plusMillis(999).toSeconds()); // wrk takes whole seconds
    List<String> command = new ArrayList<>(pins.onGeneratorCpu());
    command.addAll(
        List.of(
            PROGRAM,
            "--threads=1",
            "--connections=" + workload.connections(),
            "--duration=" + seconds,
            "--latency",
            "--script=" + script,
            "http://127.0.0.1:" + port + workload.path()));
    Process wrk =
        processes.start(
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()));
    try {
      if (!wrk.waitFor(PATIENCE.plusSeconds(seconds).toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("wrk doesn't end");
      }
    } finally {
      processes.end(wrk);
    }
    LoadResult result = WrkScript.result(Files.readString(output));
    // wrk's correction assumes the rate of requests, not of batches. It adds times below the
    // shortest measured one, and its percentiles then leave these out.
    return workload.depth() == 1
        ? result
        : new LoadResult(result.requests(), result.seconds(), result.errors(), Latencies.UNKNOWN);
  }

  @Override
  public void close() {
    // no process runs between runs
  }
}
