package dev.peregrine.server.loop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads of a loop that have parked. Other threads run their next steps while the loop
 * can't, because it waits itself.
 */
public final class ParkedThreads {
  private volatile @Nullable Relief relief; // while a watchdog runs
  private final Set<CarriedThread> threads = ConcurrentHashMap.newKeySet();

  /** Sets what checks the loop while threads are parked. */
  void relieveBy(Relief finding) {
    relief = finding;
  }

  void add(CarriedThread thread) {
    threads.add(thread);
    Relief finding = relief;
    if (finding != null) {
      finding.beginWatch();
    }
  }

  void remove(CarriedThread thread) {
    threads.remove(thread);
  }

  /** Returns true if a step of one of them waits. */
  public boolean anyIsRunnable() {
    for (CarriedThread thread : threads) {
      if (thread.isRunnable()) {
        return true;
      }
    }
    return false;
  }

  /** Runs the steps that wait, one after the other on the calling thread. */
  public void runElsewhere() {
    for (CarriedThread thread : threads) {
      thread.runElsewhere();
    }
  }
}
