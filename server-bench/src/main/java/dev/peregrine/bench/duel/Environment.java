package dev.peregrine.bench.duel;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.transport.epoll.EpollTransport;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jdk.incubator.vector.ByteVector;

/** The machine and software of a measurement, as the JVM that runs this reports them. */
public final class Environment {
  private static final Path CPUS = Path.of("/proc/cpuinfo");
  private static final String VECTORS = "jdk.incubator.vector";
  private static final int MEBIBYTE_BITS = 20;

  private Environment() {}

  /** Prints the description, so that it can be had from a JVM with other flags. */
  public static void main(String... none) {
    System.out.println(describe());
  }

  /** Describes JDK, flags, collector, vectors, servers, processor and kernel, a line each. */
  public static String describe() {
    return "JDK "
        + System.getProperty("java.vendor.version", System.getProperty("java.vendor"))
        + " "
        + Runtime.version()
        + ", "
        + System.getProperty("java.vm.info")
        + "\nflags "
        + String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments())
        + "\ncollector "
        + collector()
        + ", heap of at most "
        + String.format(Locale.ROOT, "%,d MiB", Runtime.getRuntime().maxMemory() >> MEBIBYTE_BITS)
        + "\nvectors "
        + vectors()
        + "\nsettled servers on "
        + (EpollTransport.problem() == null ? "EPOLL" : "NIO")
        + ", scanner "
        + ScannerKind.best()
        + "\nCPU "
        + cpu()
        + ", "
        + Runtime.getRuntime().availableProcessors()
        + " available\nkernel "
        + System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + " "
        + System.getProperty("os.arch");
  }

  /**
   * Returns the number of threads that have run or were ready to, as an average of the last minute.
   */
  public static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String collector() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(", "));
  }

  private static String vectors() {
    return ModuleLayer.boot().findModule(VECTORS).isPresent()
        ? "of " + ByteVector.SPECIES_PREFERRED.vectorBitSize() + " bits (SPECIES_PREFERRED)"
        : "off: " + VECTORS + " is not resolved";
  }

  private static String cpu() {
    try {
      List<String> lines = Files.readAllLines(CPUS);
      return value(lines, "model name")
          + ", family "
          + value(lines, "cpu family")
          + ", model "
          + value(lines, "model");
    } catch (IOException noSuchFile) {
      return "unknown";
    }
  }

  private static String value(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.matches(key + "\\s*:.*"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .orElse("unknown");
  }
}
