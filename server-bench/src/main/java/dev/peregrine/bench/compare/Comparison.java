package dev.peregrine.bench.compare;

import dev.peregrine.bench.compare.load.LoadGenerator;
import dev.peregrine.bench.compare.load.LoadResult;
import dev.peregrine.bench.compare.load.NioGenerator;
import dev.peregrine.bench.compare.load.ServerCheck;
import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.load.WrkGenerator;
import dev.peregrine.bench.compare.process.ChildProcesses;
import dev.peregrine.bench.compare.process.CpuPins;
import dev.peregrine.bench.compare.process.ServerProcess;
import dev.peregrine.bench.compare.report.HtmlReport;
import dev.peregrine.bench.compare.report.Measurement;
import dev.peregrine.bench.compare.report.Results;
import dev.peregrine.bench.compare.server.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One comparison: starts all servers, checks their answers, warms them up, measures them in turn in
 * several rounds, and writes the report. Used by one thread; {@link #close} ends every process.
 */
final class Comparison implements AutoCloseable {
  /** In these, Peregrine parses the heads after which it changes to vectors. */
  private static final int WARM_UP_TURNS = 3;

  private static final int TRIES = 3;

  private final CompareOptions options;
  private final Progress progress;
  private final ChildProcesses processes = new ChildProcesses();
  private final CpuPins pins = CpuPins.choose();
  private final LoadGenerator generator;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final Map<ServerKind, String> heads = new EnumMap<>(ServerKind.class);
  private final Results results = new Results();
  private final OtherLoad otherLoad = new OtherLoad();

  Comparison(CompareOptions options, Consumer<String> out) {
    this.options = options;
    progress = new Progress(out, turns(options));
    generator =
        options.usesWrk()
            ? new WrkGenerator(processes, pins, options.folder())
            : new NioGenerator(pins);
  }

  /** Returns the number of measurements, including the warm-up. */
  static int turns(CompareOptions options) {
    return options.servers().size()
        * options.workloads().size()
        * (WARM_UP_TURNS + options.rounds());
  }

  /**
   * Measures. A measurement that fails is repeated; the report names those that always fail.
   *
   * @return the report
   * @throws IOException if a server doesn't start, or if nothing could be measured
   */
  Path run() throws IOException, InterruptedException {
    Files.createDirectories(options.folder());
    Environment environment = Environment.now(options, generator.description(), pins);
    progress.say(environment.toString());
    startServers();
    otherLoad.sample();
    warmUp();
    measure();
    otherLoad.sample();
    if (results.isEmpty()) {
      throw new IOException("nothing could be measured: " + otherLoad.doubts());
    }
    otherLoad.doubts().forEach(progress::say);
    Path report = options.folder().resolve("report.html");
    Files.writeString(
        report, new HtmlReport(results, environment.atEnd(), heads, otherLoad.doubts()).render());
    return report;
  }

  private void startServers() throws IOException, InterruptedException {
    for (ServerKind kind : options.servers()) {
      progress.say("starting " + kind.title() + " " + kind.version());
      Path log = options.folder().resolve(kind.id() + ".log");
      ServerProcess server = ServerProcess.start(kind, processes, pins, log);
      servers.add(server);
      for (Workload workload : options.workloads()) {
        ServerCheck.response(workload, server.port());
      }
      heads.put(kind, ServerCheck.head(options.workloads().getFirst(), server.port()));
    }
  }

  private void warmUp() throws IOException, InterruptedException {
    for (int turn = 1; turn <= WARM_UP_TURNS; turn++) {
      for (ServerProcess server : servers) {
        for (Workload workload : options.workloads()) {
          measure("warm-up " + turn, server, workload);
        }
      }
    }
  }

  private void measure() throws IOException, InterruptedException {
    for (int round = 0; round < options.rounds(); round++) {
      for (Workload workload : options.workloads()) {
        for (int i = 0; i < servers.size(); i++) {
          // Each round begins with another server.
          ServerProcess server = servers.get((i + round) % servers.size());
          String phase = "round " + (round + 1) + "/" + options.rounds();
          Measurement measurement = measure(phase, server, workload);
          if (measurement != null) {
            results.add(server.kind(), workload, measurement);
          }
        }
      }
    }
  }

  /**
   * Measures a server, again if that fails: on a busy machine a generator may get no response in
   * time. Returns null if it always fails.
   */
  private @Nullable Measurement measure(String phase, ServerProcess server, Workload workload)
      throws InterruptedException {
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      try {
        Measurement measurement = measure(server, workload);
        progress.done(phase, server.kind(), workload, measurement);
        return measurement;
      } catch (IOException failure) {
        progress.failed(phase, server.kind(), workload, failure);
      }
    }
    progress.skip();
    otherLoad.addFailure(workload.title() + " of " + server.kind().title() + " in " + phase);
    return null;
  }

  private Measurement measure(ServerProcess server, Workload workload)
      throws IOException, InterruptedException {
    Duration before = server.cpuTime();
    LoadResult load = generator.run(workload, server.port(), options.time());
    return new Measurement(load, server.cpuTime().minus(before).toNanos());
  }

  @Override
  public void close() {
    generator.close();
    processes.close();
  }
}
