package dev.peregrine.bench.compare.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;

/**
 * The processors that servers and generator run on: one each on Linux with taskset and at least two
 * processors, wherever the system puts them otherwise.
 */
public final class CpuPins {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path THREAD = Path.of("/proc/thread-self");
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final int NONE = -1;

  private final int server;
  private final int generator;

  private CpuPins(int server, int generator) {
    this.server = server;
    this.generator = generator;
  }

  /** Chooses among the processors that this process may use. */
  public static CpuPins choose() {
    BitSet allowed = allowed();
    if (!ChildProcesses.isInstalled("taskset") || allowed.cardinality() < 2) {
      return new CpuPins(NONE, NONE);
    }
    int server = allowed.nextSetBit(0);
    BitSet others = (BitSet) allowed.clone();
    others.andNot(siblings(server));
    others.clear(server);
    // Prefers a processor of another core.
    int generator = others.isEmpty() ? allowed.nextSetBit(server + 1) : others.nextSetBit(0);
    return new CpuPins(server, generator);
  }

  /** Returns the words before the command of a server. */
  public List<String> onServerCpu() {
    return on(server);
  }

  /** Returns the words before the command of a generator. */
  public List<String> onGeneratorCpu() {
    return on(generator);
  }

  private static List<String> on(int cpu) {
    return cpu == NONE ? List.of() : List.of("taskset", "--cpu-list", Integer.toString(cpu));
  }

  /** Moves the calling thread, alone, to the generator's processor, if it has one. */
  public void pinCallingThread() {
    if (generator == NONE) {
      return;
    }
    try {
      String thread = Files.readSymbolicLink(THREAD).getFileName().toString();
      new ProcessBuilder("taskset", "--cpu-list", "--pid", Integer.toString(generator), thread)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException unsupported) {
      throw new IllegalStateException("can't pin the generator", unsupported);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Describes the choice in one line. */
  @Override
  public String toString() {
    return server == NONE
        ? "not pinned: the system moves server and generator between processors"
        : "server on processor " + server + ", generator on processor " + generator;
  }

  private static BitSet allowed() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(ALLOWED)) {
          return cpus(line.substring(ALLOWED.length()));
        }
      }
    } catch (IOException notLinux) {
      // no processors are known
    }
    return new BitSet();
  }

  private static BitSet siblings(int cpu) {
    Path list = Path.of("/sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
    try {
      return cpus(Files.readString(list));
    } catch (IOException unknown) {
      return new BitSet();
    }
  }

  /** Reads a list in the form of Linux: {@code 0-3,8}. */
  static BitSet cpus(String list) {
    BitSet cpus = new BitSet();
    for (String range : list.strip().split(",", -1)) {
      int dash = range.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
      int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
      cpus.set(first, last + 1);
    }
    return cpus;
  }
}
