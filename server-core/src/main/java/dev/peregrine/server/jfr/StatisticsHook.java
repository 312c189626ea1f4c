package dev.peregrine.server.jfr;

import java.util.List;

/**
 * Records the statistics of a server's loops, on the recorder's thread. The recorder may keep it
 * after it was removed, until another recording begins, so it drops the loops at its end.
 */
final class StatisticsHook implements Runnable {
  private List<RecordedLoop> loops; // guarded by this

  StatisticsHook(List<RecordedLoop> loops) {
    this.loops = loops;
  }

  @Override
  public synchronized void run() {
    for (RecordedLoop loop : loops) {
      LoopStatisticsEvent.record(loop);
    }
  }

  /** Drops the loops; nothing is recorded any more when it returns. */
  synchronized void end() {
    loops = List.of();
  }
}
