package dev.peregrine.bench.duel;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine and software of the measurement. */
public final class Environment {
  private static final Path CPUS = Path.of("/proc/cpuinfo");

  private Environment() {}

  /** Describes JDK, processor, kernel and flags, a line each. */
  public static String describe() {
    return "JDK "
        + System.getProperty("java.vendor.version", System.getProperty("java.vendor"))
        + " "
        + Runtime.version()
        + ", "
        + System.getProperty("java.vm.info")
        + "\nCPU "
        + cpu()
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " available, "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch")
        + "\nflags "
        + ManagementFactory.getRuntimeMXBean().getInputArguments();
  }

  /**
   * Returns the number of threads that have run or were ready to, as an average of the last minute.
   */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
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
}
