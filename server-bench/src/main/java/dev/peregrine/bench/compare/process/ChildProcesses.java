package dev.peregrine.bench.compare.process;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes that this one has started. None of them outlives this process: {@link #close} ends
 * them, and so does the end of the VM. Thread-safe.
 */
public final class ChildProcesses implements AutoCloseable {
  private static final long END_SECONDS = 5;

  private final List<Process> running = new ArrayList<>(); // this and closed: guarded by this
  private boolean closed;
  private final Thread onExit = new Thread(this::endAll, "end-children");

  /** Creates an empty set of processes. */
  public ChildProcesses() {
    Runtime.getRuntime().addShutdownHook(onExit);
  }

  /** Returns true if a program of that name is on the search path. */
  public static boolean isInstalled(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      if (new File(folder, program).canExecute()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Starts a process.
   *
   * @throws IOException if it can't be started, or after {@link #close}
   */
  public synchronized Process start(ProcessBuilder builder) throws IOException {
    if (closed) {
      throw new IOException("the comparison has ended");
    }
    Process process = builder.start();
    running.add(process);
    return process;
  }

  /** Ends a process that was started here and waits until it has ended; does nothing if it has. */
  public void end(Process process) {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      running.remove(process);
    }
  }

  /** Ends all of them; no more can be started. */
  @Override
  public void close() {
    endAll();
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException shuttingDown) {
      // the shutdown hook runs already
    }
  }

  private void endAll() {
    List<Process> ending;
    synchronized (this) {
      closed = true;
      ending = List.copyOf(running);
    }
    ending.forEach(Process::destroyForcibly);
    ending.forEach(this::end);
  }
}
