package dev.peregrine.server.jfr;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.watch.BlockedTurn;
import dev.peregrine.server.start.RecordedLoop;
import dev.peregrine.server.start.ServerFacts;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Follows the recordings of the JVM: gives the event loops a {@link LoopRecorder} each while one
 * runs. Thread-safe. It holds no lock while it calls the recorder, which may call it under its own
 * locks.
 */
final class RecorderLink implements FlightRecorderListener {
  private final ServerFacts facts;
  private final List<RecordedLoop> loops;
  private final AtomicInteger changes = new AtomicInteger(); // 0 if no thread follows them
  private volatile boolean closed;
  private volatile boolean recording; // written by the thread that follows the changes
  private List<PeriodicHook> hooks = List.of(); // likewise

  RecorderLink(ServerFacts facts, List<RecordedLoop> loops) {
    this.facts = facts;
    this.loops = loops;
  }

  /**
   * Follows the recordings from now on.
   *
   * @param beforeStart whether the loops don't run yet, so that their first turn is recorded
   */
  void attach(boolean beforeStart) {
    FlightRecorder.addListener(this);
    update(beforeStart);
  }

  void close() {
    closed = true;
    FlightRecorder.removeListener(this);
    update(false);
  }

  @Override
  public void recordingStateChanged(Recording changed) {
    update(false);
  }

  /**
   * Follows a change. One thread at a time does, as long as there are changes: so the last state
   * wins, and none waits.
   */
  private void update(boolean beforeStart) {
    if (changes.getAndIncrement() != 0) {
      return;
    }
    int followed;
    do {
      followed = changes.get();
      try {
        follow(isRecording(), beforeStart);
      } catch (RuntimeException failure) { // the server runs without its events then
        Log.add(Level.WARNING, "no events for the Flight Recorder", failure);
      }
    } while (!changes.compareAndSet(followed, 0));
  }

  private static boolean isRecording() {
    if (!FlightRecorder.isInitialized()) {
      return false;
    }
    for (Recording one : FlightRecorder.getFlightRecorder().getRecordings()) {
      if (one.getState() == RecordingState.RUNNING) {
        return true;
      }
    }
    return false;
  }

  private void follow(boolean isRecording, boolean beforeStart) {
    recordPeriodically(isRecording && !closed);
    if (!closed && isRecording != recording) { // after the close, the loops record their end
      recording = isRecording;
      for (RecordedLoop loop : loops) {
        LoopRecorder recorder =
            isRecording ? new LoopRecorder(facts.transport(), loop.name()) : null;
        if (beforeStart) {
          recordBy(loop, recorder);
        } else {
          loop.connections().loop().execute(() -> recordBy(loop, recorder));
        }
      }
    }
  }

  private static void recordBy(RecordedLoop loop, @Nullable LoopRecorder recorder) {
    loop.connections().loop().recordBy(recorder == null ? null : recorder.turns());
    loop.connections().record().recordBy(recorder);
    loop.exchanges().recordBy(recorder);
  }

  private void recordPeriodically(boolean on) {
    if (on && hooks.isEmpty()) {
      hooks =
          List.of(
              PeriodicHook.begin(
                  LoopStatisticsEvent.class, () -> loops.forEach(LoopStatisticsEvent::record)),
              PeriodicHook.begin(
                  MemoryStatisticsEvent.class,
                  () -> MemoryStatisticsEvent.record(facts.server(), loops)),
              PeriodicHook.begin(ServerConfigurationEvent.class, this::recordConfiguration));
      recordConfiguration(); // the first chunk has begun already
    } else if (!on) {
      hooks.forEach(PeriodicHook::end);
      hooks = List.of();
    }
  }

  private void recordConfiguration() {
    ServerConfigurationEvent.record(facts, loops.size());
  }

  /** Records a report of the watchdog. */
  void onBlocked(BlockedTurn turn) {
    if (recording) {
      LoopBlockedEvent.record(turn);
    }
  }
}
