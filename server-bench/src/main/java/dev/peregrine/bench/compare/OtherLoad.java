package dev.peregrine.bench.compare;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Reasons to doubt the figures of a comparison: measurements that failed, and other programs that
 * use the machine. Samples show the latter while nothing is measured. Used by one thread.
 */
final class OtherLoad {
  /** A share of the processors that moves figures by about as much as rounds differ anyway. */
  static final double SHARE_MAX = 0.1;

  private static final long SAMPLE_MILLIS = 1000;

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final List<String> failures = new ArrayList<>();
  private double busiest;

  /** Takes a sample for a second, in which the servers and the generator must be idle. */
  void sample() throws InterruptedException {
    double ignored = system.getCpuLoad(); // the next call returns the load since this one
    TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
    add(system.getCpuLoad());
  }

  /** Adds a sample: a share of all processors, or NaN or less than 0 if it isn't known. */
  void add(double share) {
    busiest = share > busiest ? share : busiest;
  }

  /** Adds a measurement that failed. */
  void addFailure(String what) {
    failures.add(what);
  }

  /** Returns why the figures are doubtful, a sentence each; empty if they aren't. */
  List<String> doubts() {
    List<String> doubts = new ArrayList<>();
    if (busiest > SHARE_MAX) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "Don't trust these figures: other programs used %.0f %% of the machine.",
              100 * busiest));
    }
    if (!failures.isEmpty()) {
      doubts.add("Not measured: " + String.join("; ", failures) + ".");
    }
    return doubts;
  }
}
