package dev.peregrine.bench.compare;

import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.report.Measurement;
import dev.peregrine.bench.compare.server.ServerKind;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Prints a line for each measurement, with the remaining time. */
final class Progress {
  private final Consumer<String> out;
  private final int turns;
  private int turnsDone;
  private long beginNanos;

  /** Creates the progress of a number of measurements. */
  Progress(Consumer<String> out, int turns) {
    this.out = out;
    this.turns = turns;
  }

  void say(String text) {
    out.accept(text);
    beginNanos = System.nanoTime(); // measuring begins after the last of the preparations
  }

  void failed(String phase, ServerKind server, Workload workload, Exception failure) {
    out.accept(
        phase + "  " + server.id() + "  " + workload.id() + "  failed: " + failure.getMessage());
  }

  /** Counts a measurement that won't be made. */
  void skip() {
    turnsDone++;
  }

  void done(String phase, ServerKind server, Workload workload, Measurement measurement) {
    turnsDone++;
    long left = (System.nanoTime() - beginNanos) / turnsDone * (turns - turnsDone);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(left);
    out.accept(
        String.format(
            Locale.ROOT,
            "%3d %%  %d:%02d left  %-10s  %-16s  %-9s  %,11.0f req/s  %,9.0f ns CPU/req",
            100 * turnsDone / turns,
            seconds / 60,
            seconds % 60,
            phase,
            server.id(),
            workload.id(),
            measurement.requestsPerSecond(),
            measurement.cpuNanosPerRequest()));
  }
}
