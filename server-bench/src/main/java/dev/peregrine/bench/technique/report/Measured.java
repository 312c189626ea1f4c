package dev.peregrine.bench.technique.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;

/**
 * The cost of one form on one input. Each fork counts by the median of its iterations, because few
 * are disturbed by other work.
 *
 * @param form a method of the benchmark, or the value of its parameter of that name
 * @param input the other parameters; empty if there are none
 * @param nanos per operation, the median of the forks
 * @param least the fastest fork
 * @param most the slowest fork
 * @param bytes allocated per operation, the median of the forks
 */
record Measured(String form, String input, double nanos, double least, double most, double bytes) {
  private static final List<String> FORM_PARAMETERS = List.of("form", "distance");
  private static final List<String> UNITS = List.of("ns", "µs", "ms");
  private static final int THOUSAND = 1000;
  private static final double MEDIAN = 50;
  private static final double DIFFERENCE_MIN = 1.05;
  private static final double CLOSE_MAX = 1.25;
  private static final String BYTES = "gc.alloc.rate.norm";

  /**
   * Returns the results of one benchmark's runs, of which each may have several forks, and each
   * form and input may have several. Its method is part of the input if it has several.
   */
  static List<Measured> of(Collection<RunResult> runs) {
    long methods = runs.stream().map(run -> run.getParams().getBenchmark()).distinct().count();
    Map<List<String>, List<BenchmarkResult>> forks = new LinkedHashMap<>();
    for (RunResult run : runs) {
      forks
          .computeIfAbsent(formAndInput(run.getParams(), methods > 1), first -> new ArrayList<>())
          .addAll(run.getBenchmarkResults());
    }
    return forks.entrySet().stream().map(one -> of(one.getKey(), one.getValue())).toList();
  }

  private static Measured of(List<String> formAndInput, List<BenchmarkResult> forks) {
    Statistics nanos = statistics(forks.stream().map(BenchmarkResult::getPrimaryResult));
    Statistics bytes =
        statistics(forks.stream().map(fork -> fork.getSecondaryResults().get(BYTES)));
    return new Measured(
        formAndInput.getFirst(),
        formAndInput.getLast(),
        nanos.getPercentile(MEDIAN),
        nanos.getMin(),
        nanos.getMax(),
        bytes.getPercentile(MEDIAN));
  }

  private static Statistics statistics(Stream<Result<?>> forks) {
    return new ListStatistics(
        forks.mapToDouble(fork -> fork.getStatistics().getPercentile(MEDIAN)).toArray());
  }

  private static List<String> formAndInput(BenchmarkParams params, boolean severalMethods) {
    String method = params.getBenchmark();
    method = method.substring(method.lastIndexOf('.') + 1);
    String form = method;
    List<String> input = new ArrayList<>();
    for (String key : params.getParamsKeys()) {
      if (FORM_PARAMETERS.contains(key)) {
        form = params.getParam(key);
        input.addAll(0, severalMethods ? List.of(words(method)) : List.of());
      } else {
        input.add(words(key) + " " + grouped(params.getParam(key)));
      }
    }
    return List.of(form, String.join(", ", input));
  }

  /** Returns how many times the median of another form this one takes. */
  double ratio(Measured other) {
    return nanos / other.nanos;
  }

  /**
   * Returns true if every fork of one form was faster than every fork of the other, and the medians
   * differ by more than another run or compiler would make of the same code.
   */
  boolean differsFrom(Measured other) {
    double slower = Math.max(ratio(other), other.ratio(this));
    return (least > other.most || most < other.least) && slower >= DIFFERENCE_MIN;
  }

  /** Returns true if the medians lie within a quarter of each other. */
  boolean isCloseTo(Measured other) {
    return Math.max(ratio(other), other.ratio(this)) <= CLOSE_MAX;
  }

  /** Returns the inputs, in the order in which they were measured. */
  static List<String> inputs(Collection<Measured> all) {
    return all.stream().map(Measured::input).distinct().toList();
  }

  /** Returns the forms, in the order in which they were measured. */
  static List<String> forms(Collection<Measured> all) {
    return all.stream().map(Measured::form).distinct().toList();
  }

  static Measured find(Collection<Measured> all, String form, String input) {
    return all.stream()
        .filter(one -> one.form.equals(form) && one.input.equals(input))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(form + " was not measured with " + input));
  }

  /** Returns a Java name as words: camelCase or CAPITALS. */
  static String words(String name) {
    String spaced = name.replaceAll("([a-z])([A-Z])", "$1 $2").replace('_', ' ');
    return spaced.toLowerCase(Locale.ROOT);
  }

  /** Formats nanoseconds in a suitable unit, with three digits. */
  static String time(double nanos) {
    int unit = 0;
    double value = nanos;
    while (value >= THOUSAND && unit < UNITS.size() - 1) {
      value /= THOUSAND;
      unit++;
    }
    return threeDigits(value) + " " + UNITS.get(unit);
  }

  /** Formats a number with three digits, or more before the point. */
  static String threeDigits(double value) {
    int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  /** Formats whole bytes; the JVM's own allocation is less than one per operation. */
  static String bytes(double bytes) {
    return String.format(Locale.ROOT, "%,.0f", bytes);
  }

  private static String grouped(String value) {
    return value.matches("\\d{4,}") ? bytes(Double.parseDouble(value)) : words(value);
  }
}
