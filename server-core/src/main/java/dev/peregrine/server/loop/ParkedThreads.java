package dev.peregrine.server.loop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The virtual threads of a loop that have parked. Other threads run their next steps while the loop
 * can't, because it waits itself.
 */
final class ParkedThreads {
  private final EventLoop loop;
  private final Set<CarriedThread> threads = ConcurrentHashMap.newKeySet();

  ParkedThreads(EventLoop loop) {
    this.loop = loop;
  }

  void add(CarriedThread thread) {
    boolean ignored = threads.add(thread);
    LoopRelief relief = loop.relief;
    if (relief != null) {
      relief.beginWatch();
    }
  }

  void remove(CarriedThread thread) {
    boolean ignored = threads.remove(thread);
  }

  /** Returns true if a step of one of them waits. */
  boolean anyIsRunnable() {
    for (CarriedThread thread : threads) {
      if (thread.isRunnable()) {
        return true;
      }
    }
    return false;
  }

  /** Runs the steps that wait, one after the other on the calling thread. */
  void runElsewhere() {
    for (CarriedThread thread : threads) {
      thread.runElsewhere();
    }
  }
}
