package dev.peregrine.server.loop;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.base.Incident;
import dev.peregrine.base.Log;
import dev.peregrine.server.transport.Poller;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that other threads hand to a loop, and the wait of the loop, which a task ends.
 *
 * <pre>
 *   AWAKE ──fallAsleep──▶ ASLEEP ──offer──▶ WOKEN        each ──end──▶ ENDED
 *     ▲                     │                 │
 *     └───────awaken────────┴─────────────────┘
 * </pre>
 */
final class TaskInbox {
  private static final int AWAKE = 0;
  private static final int ASLEEP = 1;
  private static final int WOKEN = 2;
  private static final int ENDED = 3;
  private static final VarHandle STATE = FieldHandle.of(MethodHandles.lookup(), "state", int.class);

  private final TaskQueue tasks = new TaskQueue();
  private Poller poller; // that the loop waits in; changed while it is awake
  private volatile int state = AWAKE; // ASLEEP: an offered task must wake the loop, to WOKEN
  private volatile boolean wakeUpMissed;

  TaskInbox(Poller poller) {
    this.poller = poller;
  }

  // ---- on any thread ----

  /**
   * Adds a task, and wakes the loop if it is asleep. If this throws, the task was not queued. After
   * the end the task is rejected.
   */
  void offer(LoopTask task) {
    if (state == ENDED) {
      task.onRejected();
      return;
    }
    tasks.offer(task);
    try {
      int seen = state;
      if (seen == ASLEEP && STATE.compareAndSet(this, ASLEEP, WOKEN)) {
        poller.wakeUp(); // read after the state: the poller that the loop waits in
      } else if (seen == ENDED) {
        rejectAll(); // the loop ended meanwhile, and may not have seen the task
      }
    } catch (Throwable failure) {
      // Stores only, which need neither memory nor stack. The next task, or the watchdog, retries.
      wakeUpMissed = true;
      if (state == WOKEN) {
        state = ASLEEP;
      }
    }
  }

  /** Wakes the loop if that has failed before. */
  void wakeUpIfMissed() {
    if (wakeUpMissed) {
      poller.wakeUp();
      wakeUpMissed = false;
    }
  }

  /** Returns true unless the loop waits, or has ended. */
  boolean isAwake() {
    return state == AWAKE;
  }

  boolean isEnded() {
    return state == ENDED;
  }

  private synchronized void rejectAll() {
    for (LoopTask task = tasks.pollLinked(); task != null; task = tasks.pollLinked()) {
      try {
        task.onRejected();
      } catch (Throwable failure) {
        Log.add(Level.ERROR, Incident.LATE_TASK_FAILED, failure);
      }
    }
  }

  // ---- on the loop's thread ----

  /** Counts the loop as asleep from now on. Returns false if it stays awake, because tasks wait. */
  boolean fallAsleep() {
    state = ASLEEP;
    if (tasks.isEmpty()) {
      return true;
    }
    state = AWAKE;
    return false;
  }

  /** The wait is over. */
  void awaken() {
    state = AWAKE;
  }

  /** Changes what the loop waits in; while it is awake. */
  void wakeBy(Poller next) {
    poller = next;
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** Returns like {@link TaskQueue#newest}. */
  LoopTask newest() {
    return tasks.newest();
  }

  /** Takes a task like {@link TaskQueue#poll}. */
  @Nullable LoopTask poll() {
    return tasks.poll();
  }

  /** Rejects the tasks that wait, and all later ones. */
  void end() {
    state = ENDED;
    rejectAll();
  }
}
