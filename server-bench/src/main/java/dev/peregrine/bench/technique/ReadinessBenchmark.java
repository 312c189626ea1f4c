package dev.peregrine.bench.technique;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.peregrine.server.transport.epoll.EpollTransport;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Finds and reads those of 5,000 connections (fewer if the system allows fewer) that become
 * readable. All forms also send the bytes that they read, in the same way.
 */
@Warmup(iterations = 6) // so that turns of 512 are compiled
public class ReadinessBenchmark extends Technique {
  private static final int OPEN = 5000;
  private static final int DESCRIPTORS_LEFT = 1000;

  /** The ways to find readable sockets. */
  public enum Kind {
    /** Reads every socket. */
    SCAN,
    /** By poll(2). */
    POLL,
    /** By epoll(7). */
    EPOLL,
    /** By the JDK's selector, which is epoll(7) on Linux. */
    SELECTOR,
    /** The server's way on Linux: its poller notifies a handler of each ready socket. */
    EPOLL_POLLER,
    /** Without a search: only the readable ones are read, which is the lower bound. */
    KNOWN
  }

  @Param Kind form;

  @Param({"8", "512"})
  int active;

  private Sockets sockets;
  private int step;

  /** Connects, and checks that exactly the readable ones are found, twice. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long descriptors = system.getMaxFileDescriptorCount() - DESCRIPTORS_LEFT;
    int open = (int) Math.min(OPEN, descriptors / 2);
    check(open >= active, "only " + open + " connections can be opened");
    sockets =
        switch (form) {
          case SCAN -> new NativeSockets.Scanned(open, open);
          case POLL -> new NativeSockets.Polled(open);
          case EPOLL -> new NativeSockets.ByEpoll(open);
          case SELECTOR -> new SelectedSockets();
          case EPOLL_POLLER -> new TransportSockets(EpollTransport.open());
          case KNOWN -> new NativeSockets.Scanned(open, active);
        };
    sockets.connect(open);
    step = form == Kind.KNOWN ? 1 : open / active;
    long sent = 0;
    for (int i = 0; i < active; i++) {
      sent += Sockets.valueOf(i * step);
    }
    checkEqual(sent, turn(), turn());
  }

  /** Disconnects. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    sockets.close();
  }

  /** Makes some readable, spread over all, then finds them. */
  @Benchmark
  public long turn() throws IOException {
    for (int i = 0; i < active; i++) {
      sockets.send(i * step);
    }
    return sockets.readAll(active);
  }
}
