package dev.peregrine.bench.compare.load;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a request costs servers of this machine at rates from nearly idle to near
 * saturation, and how late its response comes: turns of one second in random order over all servers
 * and rates. Prints for each the medians of the processor time per request, p50 and p99, and the
 * ratios of time and p99 to the first server of the same round, with the interval that holds their
 * median with a probability of 95 %.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.compare.load.LoadCurve TURNS CONNECTIONS RATE,RATE,… NAME=PORT:PID …
 * </pre>
 *
 * <p>TURNS is the number for each server and rate, after one that doesn't count. The servers must
 * be warm already; {@code server-bench/src/peers/http/curve.py} starts and warms them. Linux only,
 * whose accounts of threads it reads.
 */
public final class LoadCurve {
  private static final Duration TURN = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final long SEED = 1;

  private final List<Candidate> candidates = new ArrayList<>();
  private final int[] rates;
  private final int connections;

  private LoadCurve(int connections, int[] rates) {
    this.connections = connections;
    this.rates = rates;
  }

  /** Runs with a number of turns, connections, rates, and servers. */
  public static void main(String[] args) throws IOException {
    if (args.length < 4) {
      System.err.println("usage: LoadCurve TURNS CONNECTIONS RATE,RATE,... NAME=PORT:PID ...");
      System.exit(2);
    }
    int[] rates = List.of(args[2].split(",", -1)).stream().mapToInt(Integer::parseInt).toArray();
    LoadCurve curve = new LoadCurve(Integer.parseInt(args[1]), rates);
    for (String server : List.of(args).subList(3, args.length)) {
      curve.candidates.add(Candidate.of(server, rates.length));
    }
    curve.run(Integer.parseInt(args[0]));
    System.out.print(curve.report());
  }

  private void run(int turns) throws IOException {
    List<Turn> round = new ArrayList<>();
    for (Candidate candidate : candidates) {
      for (int rate = 0; rate < rates.length; rate++) {
        round.add(new Turn(candidate, rate));
      }
    }
    Random random = new Random(SEED);
    for (int i = -1; i < turns; i++) {
      Collections.shuffle(round, random);
      for (Turn turn : round) {
        Figures figures = turn.candidate().run(rates[turn.rate()], connections);
        if (i >= 0) {
          turn.candidate().figures.get(turn.rate()).add(figures);
        }
      }
    }
    for (Candidate candidate : candidates) {
      candidate.disconnect();
    }
  }

  private String report() {
    StringBuilder text = new StringBuilder();
    text.append("| requests a second | server | CPU, µs | ÷ first (95 %) | p50, µs | p99, µs |");
    text.append(" ÷ first (95 %) | turns |\n|--:|---|--:|--:|--:|--:|--:|--:|\n");
    for (int rate = 0; rate < rates.length; rate++) {
      List<Figures> first = candidates.getFirst().figures.get(rate);
      for (Candidate candidate : candidates) {
        List<Figures> figures = candidate.figures.get(rate);
        text.append(line(rates[rate], candidate.name, figures, first));
      }
    }
    return text.toString();
  }

  private static String line(int rate, String name, List<Figures> figures, List<Figures> first) {
    List<Figures> kept = figures.stream().filter(Figures::keptUp).toList();
    if (kept.isEmpty()) {
      return String.format(Locale.ROOT, "| %,d | %s | saturated | | | | | 0 |%n", rate, name);
    }
    return String.format(
        Locale.ROOT,
        "| %,d | %s | %.1f | %s | %.0f | %.0f | %s | %d |%n",
        rate,
        name,
        median(kept, Figures::cpuMicros),
        ratios(figures, first, Figures::cpuMicros),
        median(kept, Figures::p50Micros),
        median(kept, Figures::p99Micros),
        ratios(figures, first, Figures::p99Micros),
        kept.size());
  }

  private static double median(List<Figures> figures, ToDoubleFunction<Figures> figure) {
    return Medians.of(figures.stream().mapToDouble(figure).toArray());
  }

  /** Returns the ratios of the rounds in which both servers kept up. */
  private static String ratios(
      List<Figures> figures, List<Figures> first, ToDoubleFunction<Figures> figure) {
    return Medians.withInterval(
        IntStream.range(0, figures.size())
            .filter(i -> figures.get(i).keptUp() && first.get(i).keptUp())
            .mapToDouble(
                i -> figure.applyAsDouble(figures.get(i)) / figure.applyAsDouble(first.get(i)))
            .toArray());
  }

  /** The figures of one turn: the processor time of a request, and latencies if it kept up. */
  private record Figures(boolean keptUp, double cpuMicros, Latencies latencies) {
    static final Figures NONE = new Figures(false, Double.NaN, Latencies.UNKNOWN);

    double p50Micros() {
      return latencies.p50();
    }

    double p99Micros() {
      return latencies.p99();
    }
  }

  private record Turn(Candidate candidate, int rate) {}

  private static final class Candidate {
    private final String name;
    private final int port;
    private final Path threads;
    private final List<List<Figures>> figures = new ArrayList<>();
    private @Nullable RatedGenerator generator;

    private Candidate(String name, int port, long pid, int rates) {
      this.name = name;
      this.port = port;
      threads = Path.of("/proc", Long.toString(pid), "task");
      for (int i = 0; i < rates; i++) {
        figures.add(new ArrayList<>());
      }
    }

    static Candidate of(String text, int rates) {
      int equals = text.indexOf('=');
      int colon = text.indexOf(':', equals);
      if (equals < 0 || colon < 0) {
        throw new IllegalArgumentException("expected NAME=PORT:PID: " + text);
      }
      return new Candidate(
          text.substring(0, equals),
          Integer.parseInt(text, equals + 1, colon, 10),
          Long.parseLong(text, colon + 1, text.length(), 10),
          rates);
    }

    /** Runs a turn; a server that doesn't keep up is connected anew for its next one. */
    Figures run(int rate, int connections) throws IOException {
      RatedGenerator connected = generator;
      if (connected == null) {
        connected = new RatedGenerator(port, connections, Duration.ZERO, PATIENCE);
        generator = connected;
      }
      long before = cpuNanos();
      RatedResult result;
      try {
        result = connected.run(rate, TURN);
      } catch (IOException behind) {
        System.err.println(name + " at " + rate + ": " + behind.getMessage());
        disconnect();
        return Figures.NONE;
      }
      long nanos = cpuNanos() - before;
      double cpuMicros = (double) nanos / TimeUnit.MICROSECONDS.toNanos(1) / result.requests();
      return new Figures(true, cpuMicros, result.latencies().latencies());
    }

    void disconnect() throws IOException {
      RatedGenerator connected = generator;
      if (connected != null) {
        connected.close();
        generator = null;
      }
    }

    private long cpuNanos() throws IOException {
      long sum = 0;
      try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
        for (Path thread : all) {
          String account = Files.readString(thread.resolve("schedstat"));
          sum += Long.parseLong(account, 0, account.indexOf(' '), 10);
        }
      }
      return sum;
    }
  }
}
