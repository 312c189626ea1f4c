package dev.peregrine.bench.compare.load;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Measures how long a server on this machine takes for {@code GET /plaintext} at a constant rate:
 * percentiles since each request was due, every pause above 5 ms, and how long the generator itself
 * was away, by which the machine's pauses can be told from the server's.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.compare.load.LatencyAtRate PORT RATE SECONDS CONNECTIONS [NAP]
 * </pre>
 *
 * <p>The first four seconds aren't counted; the server has to be warm already. With a NAP, of so
 * many microseconds when there is nothing to do, the generator leaves others a part of its
 * processor: for a machine with other work, where it runs with real-time priority. There Linux
 * takes a processor from whoever never sleeps, for 50 ms of each second.
 */
public final class LatencyAtRate {
  /**
   * Runs to warm up: so that the compiler has seen them begin and end before the one that counts.
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
