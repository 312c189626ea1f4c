package dev.peregrine.bench.compare.load;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Measures the latency of a server on this machine for {@code GET /plaintext} at a constant rate:
 * percentiles from the time when each request was due, every pause above 5 ms, and the time in
 * which the generator itself did not run, which distinguishes the machine's pauses from the
 * server's.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.compare.load.LatencyAtRate PORT RATE SECONDS CONNECTIONS [NAP]
 * </pre>
 *
 * <p>The first four seconds aren't counted; the server must be warm already. NAP is the sleep of
 * the idle generator in microseconds. It leaves other processes a part of the processor, for a
 * machine with other work, where the generator runs with real-time priority. There Linux takes the
 * processor from a process that never sleeps for 50 ms of each second.
 */
public final class LatencyAtRate {
  /**
   * The runs for warm-up, so that the code of a run's begin and end is compiled before the counted
   * run.
   */
  private static final int WARM_UPS = 8;

  private static final Duration WARM_UP = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private LatencyAtRate() {}

  /** Runs with a port, requests a second, seconds, number of connections, and microseconds. */
  public static void main(String[] args) throws IOException {
    if (args.length < 4 || args.length > 5) {
      System.err.println("usage: LatencyAtRate PORT RATE SECONDS CONNECTIONS [NAP]");
      System.exit(2);
    }
    int port = Integer.parseInt(args[0]);
    int rate = Integer.parseInt(args[1]);
    Duration time = Duration.ofSeconds(Integer.parseInt(args[2]));
    int connections = Integer.parseInt(args[3]);
    Duration nap = Duration.of(args.length == 5 ? Integer.parseInt(args[4]) : 0, ChronoUnit.MICROS);
    try (RatedGenerator generator = new RatedGenerator(port, connections, nap, PATIENCE)) {
      measure(generator, rate, WARM_UP, time, System.out);
    }
  }

  static void measure(
      RatedGenerator generator, int rate, Duration warmUp, Duration time, PrintStream out)
      throws IOException {
    for (int i = 0; i < WARM_UPS; i++) {
      generator.run(rate, warmUp.dividedBy(WARM_UPS));
    }
    out.print(generator.run(rate, time).report());
  }
}
