package dev.peregrine.server.connection;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.Relieved;
import dev.peregrine.server.loop.TimeSlice;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a connection that its socket does not start: work from other threads, and input that
 * did not fit into one time slice. All waiting work is one task in the loop's queue. One turn runs
 * as much of it as a time slice allows and writes once. The rest is queued again, after the tasks
 * and the sockets that have become ready meanwhile.
 */
@SuppressWarnings("ReferenceEquality") // tasks are compared by identity
final class TurnQueue extends LoopTask {
  private static final TurnTask QUEUED = new TurnTask(() -> {});
  private static final VarHandle SUBMITTED =
      FieldHandle.of(MethodHandles.lookup(), "submitted", TurnTask.class);

  private final Connection connection;
  private final TimeSlice slice;
  private final Turn work = this::runWork;

  // The newest first, down to QUEUED or null. Null only while this is not in the loop's queue and
  // does not run: the thread that replaces null hands this over to the loop.
  private volatile @Nullable TurnTask submitted;
  private volatile boolean missed;
  private boolean running; // the loop's
  private @Nullable TurnTask oldest; // taken from the stack, in the order of submission; the loop's

  TurnQueue(Connection connection) {
    this.connection = connection;
    this.slice = connection.loop().slice();
  }

  /** Adds work; callable from any thread. */
  void submit(TurnTask task) {
    TurnTask newest;
    do {
      newest = submitted;
      task.next = newest;
    } while (!SUBMITTED.compareAndSet(this, newest, task));
    if (newest == null) {
      handOver();
    }
  }

  private void handOver() {
    try {
      connection.loop().execute(this);
    } catch (Throwable failure) {
      missed = true; // by a store, since the stack may have ended: the work stays submitted
    }
  }

  /** Hands over to the loop the work that {@link #submit} could not; on the loop's thread. */
  void handOverIfMissed() {
    if (missed) {
      missed = false;
      handOver();
    }
  }

  /** Requests a turn after those of other connections; on the loop's thread. */
  void requestTurn() {
    if (submitted == null && SUBMITTED.compareAndSet(this, null, QUEUED)) {
      connection.loop().execute(this);
    }
  }

  @Override
  protected void run() {
    running = true;
    try {
      take();
      connection.turn(work);
    } catch (Relieved elsewhere) {
      throw elsewhere;
    } catch (Throwable failure) {
      endRun();
      throw failure;
    }
    endRun();
  }

  private void endRun() {
    running = false;
    if (oldest != null || connection.wantsTurn() || !rest()) {
      connection.loop().execute(this);
    }
  }

  /** Ends a run whose thread was relieved, if the turn was one; in its place. */
  void endLeftRun() {
    if (running) {
      endRun();
    }
  }

  /** Does nothing: the loop closed its connections before it ended. */
  @Override
  protected void onRejected() {
    do {
      take();
      while (oldest != null) {
        TurnTask.runClosed(next());
      }
    } while (!rest());
  }

  private void runWork() throws IOException {
    if (connection.isClosed()) {
      while (oldest != null) {
        TurnTask.runClosed(next());
      }
      return;
    }
    slice.begin();
    while (oldest != null && !connection.isClosed() && slice.step()) {
      next().run();
    }
  }

  private Turn next() {
    TurnTask task = Objects.requireNonNull(oldest);
    oldest = task.next;
    task.next = null;
    return task.work;
  }

  /** Takes the submitted work, unless older work is left. */
  private void take() {
    if (oldest != null) {
      return;
    }
    TurnTask task = (TurnTask) SUBMITTED.getAndSet(this, QUEUED);
    while (task != null && task != QUEUED) {
      TurnTask earlier = task.next;
      task.next = oldest;
      oldest = task;
      task = earlier;
    }
  }

  /** Leaves the loop's queue and returns true, unless work was submitted meanwhile. */
  private boolean rest() {
    return SUBMITTED.compareAndSet(this, QUEUED, null);
  }
}
