package dev.peregrine.bench.compare;

import dev.peregrine.bench.compare.load.Workload;
import dev.peregrine.bench.compare.load.WrkGenerator;
import dev.peregrine.bench.compare.server.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/**
 * The servers and workloads to compare, and the times.
 *
 * @param time how long a server is measured with a workload each round
 * @param rounds 1 or more
 * @param usesWrk whether wrk generates the load instead of the built-in generator
 * @param folder where the report and the logs go
 */
record CompareOptions(
    List<ServerKind> servers,
    List<Workload> workloads,
    Duration time,
    int rounds,
    boolean usesWrk,
    Path folder) {
  static final String USAGE =
      """
      ./mvnw -Pcompare
        -Dcompare.servers=A,B     of peregrine, peregrine-nio, netty, netty-epoll, vertx, undertow, jetty, helidon; all by default (netty-epoll on x86-64 Linux)
        -Dcompare.only=A,B        workloads of one, many, pipelined, json, echo; all by default
        -Dcompare.seconds=S       how long each server is measured with each workload in a round; 1 by default
        -Dcompare.rounds=N        5 by default
        -Dcompare.generator=NAME  wrk or built-in; wrk by default, where it is installed\
      """;

  private static final String PREFIX = "compare.";
  private static final double SECONDS_MAX = 600;

  /**
   * Reads the properties that begin with {@code compare.}; an empty one is ignored.
   *
   * @throws IllegalArgumentException for an invalid value
   */
  static CompareOptions of(Properties properties, Path folder) {
    double seconds = Double.parseDouble(value(properties, "seconds", "1"));
    int rounds = Integer.parseInt(value(properties, "rounds", "5"));
    if (!(seconds > 0 && seconds <= SECONDS_MAX)) {
      throw new IllegalArgumentException(
          "compare.seconds is " + seconds + ", and must be above 0 and at most " + SECONDS_MAX);
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("compare.rounds is " + rounds + ", and must be above 0");
    }
    String generator =
        value(properties, "generator", WrkGenerator.isInstalled() ? "wrk" : "built-in");
    if (!generator.equals("wrk") && !generator.equals("built-in")) {
      throw new IllegalArgumentException(
          "compare.generator is " + generator + ", and must be wrk or built-in");
    }
    return new CompareOptions(
        list(properties, "servers", available(), ServerKind::named),
        list(properties, "only", List.of(Workload.values()), Workload::named),
        Duration.ofMillis((long) Math.ceil(seconds * 1000)),
        rounds,
        generator.equals("wrk"),
        folder);
  }

  private static List<ServerKind> available() {
    return Arrays.stream(ServerKind.values()).filter(ServerKind::isAvailable).toList();
  }

  private static <T> List<T> list(
      Properties properties, String name, List<T> all, Function<String, T> named) {
    String names = value(properties, name, "");
    return names.isEmpty()
        ? all
        : Arrays.stream(names.split(",", -1)).map(named).distinct().toList();
  }

  private static String value(Properties properties, String name, String otherwise) {
    String value = properties.getProperty(PREFIX + name, "").strip();
    return value.isEmpty() ? otherwise : value;
  }
}
