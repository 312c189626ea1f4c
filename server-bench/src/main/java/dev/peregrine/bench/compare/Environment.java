package dev.peregrine.bench.compare;

import dev.peregrine.bench.compare.process.CpuPins;
import dev.peregrine.bench.compare.process.ServerProcess;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The machine and software of the measurement, as names and values in the order of the report. */
final class Environment {
  private static final Path CPUS = Path.of("/proc/cpuinfo");
  private static final String LOAD = "Load average before, after";

  private final Map<String, String> values = new LinkedHashMap<>();

  private Environment() {}

  static Environment now(CompareOptions options, String generator, CpuPins pins) {
    Environment environment = new Environment();
    Map<String, String> values = environment.values;
    values.put("Date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    values.put("CPU", cpu());
    values.put("Processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    values.put(
        "System",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    values.put(
        "JDK",
        System.getProperty("java.vendor.version", System.getProperty("java.vendor"))
            + " "
            + Runtime.version());
    values.put(LOAD, load());
    values.put("Generator", generator);
    values.put("Pinning", pins.toString());
    values.put(
        "Measured",
        options.rounds()
            + " rounds of "
            + options.time().toMillis() / 1000.0
            + " s for each server");
    values.put("JVM flags of all servers", String.join(" ", ServerProcess.FLAGS));
    return environment;
  }

  /** Returns all values; call it after the measurements. */
  Map<String, String> atEnd() {
    values.merge(LOAD, load(), (before, after) -> before + ", " + after);
    return values;
  }

  private static String load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", load);
  }

  private static String cpu() {
    try (var lines = Files.lines(CPUS)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("unknown");
    } catch (IOException noSuchFile) {
      return "unknown";
    }
  }

  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .collect(Collectors.joining("\n"));
  }
}
