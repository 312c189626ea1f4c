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
 * Finds and reads those of 5,000 open descriptors (fewer if the system allows fewer) that become
 * readable. All forms also write the bytes that they read.
 */
public class ReadinessBenchmark extends Technique {
  private static final int OPEN = 5000;
  private static final int DESCRIPTORS_LEFT = 1000;

  /** The ways to find readable descriptors. */
  public enum Kind {
    /** Reads every descriptor. */
    SCAN,
    /** By poll(2). */
    POLL,
    /** By a selector: epoll(7) on Linux. */
    SELECTOR,
    /** Without a search: only the readable ones are read, which is the lower bound. */
    KNOWN
  }

  @Param Kind form;

  @Param({"8", "512"})
  int active;

  private Pipes pipes;
  private int step;

  /** Opens the pipes, and checks that the readable ones are found. */
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
