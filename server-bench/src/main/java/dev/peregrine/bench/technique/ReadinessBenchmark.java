package dev.peregrine.bench.technique;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Of 5,000 open descriptors (fewer if the system allows fewer) some become readable; finds and
 * reads them. All forms write the bytes that they read, which is what KNOWN costs beyond reading.
 */
public class ReadinessBenchmark extends Technique {
  private static final int OPEN = 5000;
  private static final int DESCRIPTORS_LEFT = 1000;

  /** How readable ones are found. */
  public enum Kind {
    /** Every one is read. */
    SCAN,
    /** By poll(2). */
    POLL,
    /** By a selector: epoll(7) on Linux. */
    SELECTOR,
    /** Not at all: those are read that are readable. The least there could be. */
    KNOWN
  }

  @Param Kind form;

  @Param({"8", "512"})
  int active;

  private Pipes pipes;
  private int step;

  /** Opens the pipes, and makes sure that those readable are found. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long descriptors = system.getMaxFileDescriptorCount() - DESCRIPTORS_LEFT;
    int open = (int) Math.min(OPEN, descriptors / 2);
    check(open >= active, "only " + open + " pipes can be opened");
    pipes =
        switch (form) {
          case SCAN -> NioPipes.scanned(open, open);
          case POLL -> new PolledPipes(open);
          case SELECTOR -> NioPipes.selected(open);
          case KNOWN -> NioPipes.scanned(open, active);
        };
    step = form == Kind.KNOWN ? 1 : open / active;
    checkEqual(active, turn(), turn());
  }

  /** Closes the pipes. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    pipes.close();
  }

  /** Makes some readable, spread over all, then finds them. */
  @Benchmark
  public int turn() throws IOException {
    for (int i = 0; i < active; i++) {
      pipes.write(i * step);
    }
    return pipes.readReady();
  }
}
