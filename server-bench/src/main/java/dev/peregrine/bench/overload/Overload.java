package dev.peregrine.bench.overload;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.filter.ConcurrencyLimit;
import dev.peregrine.server.HttpServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * An overload with and without {@code ConcurrencyLimit.latencyMax}: a {@link LimitedService} gets
 * one, two and three times the load that it can serve, over sockets. The loads take turns, so that
 * a machine that is busy meanwhile disturbs all of them.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.overload.Overload [ROUNDS]
 * </pre>
 *
 * <p>Ends with status 1 if the limit doesn't hold 90 % of the best throughput at three times the
 * load, or if one of twenty responses is later than the queue and twice the latency permit.
 */
public final class Overload {
  private static final Duration LATENCY_MAX = Duration.ofMillis(60); // thrice that of one alone
  private static final Duration QUEUE_TIME = Duration.ofMillis(50);
  private static final int QUEUE_MAX = 10; // as many as are served in the queue's time
  private static final int TIMES_MAX = 3;
  private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
  private static final long NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double LEAST = 0.9;

  private Overload() {}

  /**
   * Runs all loads.
   *
   * @param args how often; three times by default
   */
  public static void main(String[] args) throws InterruptedException {
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 3;
    System.out.printf("A service that does %d a second.%n%n", LimitedService.PER_SECOND);
    System.out.println("limit     load  200/s  503/s  median ms  95 % ms  broken");
    run("none", Handlers.blocking(new LimitedService()), rounds);
    boolean holds = run("adapts", limit(Handlers.blocking(new LimitedService())), rounds);
    System.out.println(holds ? "\nThe limit holds." : "\nThe limit does NOT hold.");
    System.exit(holds ? 0 : 1);
  }

  static ConcurrencyLimit limit(Handler handler) {
    return ConcurrencyLimit.builder(handler)
        .concurrentMin(2)
        .concurrentMax(500)
        .latencyMax(LATENCY_MAX)
        .queueMax(QUEUE_MAX)
        .queueTime(QUEUE_TIME)
        .build();
  }

  /** Returns true if three times the load is served as well as the best of them, and in time. */
  private static boolean run(String name, Handler handler, int rounds) throws InterruptedException {
    Tally[] tallies = new Tally[TIMES_MAX];
    Arrays.setAll(tallies, times -> new Tally());
    try (HttpServer server = Peregrine.builder().handler(handler).start()) {
      Load.run(server.port(), LimitedService.PER_SECOND, WARM_UP_NANOS, 1, new Tally());
      for (int i = 0; i < rounds * TIMES_MAX; i++) {
        int times = 1 + i % TIMES_MAX;
        long perSecond = times * LimitedService.PER_SECOND;
        Load.run(server.port(), perSecond, WARM_UP_NANOS, NANOS, tallies[times - 1]);
      }
    }
    for (int times = 1; times <= TIMES_MAX; times++) {
      print(name, times, tallies[times - 1]);
    }
    double best = Arrays.stream(tallies).mapToDouble(Tally::servedPerSecond).max().orElseThrow();
    Tally most = tallies[TIMES_MAX - 1];
    return most.servedPerSecond() >= LEAST * best
        && most.millis(95) <= QUEUE_TIME.plus(LATENCY_MAX.multipliedBy(2)).toMillis();
  }

  private static void print(String name, int times, Tally tally) {
    System.out.printf(
        "%-8s %4d× %6.0f %6.0f %10.1f %8.1f  %6d%n",
        name,
        times,
        tally.servedPerSecond(),
        tally.shedPerSecond(),
        tally.millis(50),
        tally.millis(95),
        tally.failures());
  }
}
