package dev.peregrine.server.turn;

import dev.peregrine.base.FieldHandle;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.LoopTask;
import dev.peregrine.server.loop.TimeSlice;
import dev.peregrine.server.loop.TurnUser;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The turns of a connection that its socket does not start: work from other threads, and input that
 * did not fit into one time slice. All waiting work is one task in the loop's queue. One turn runs
 * as much of it as a time slice allows and writes once. The rest is queued again, after the tasks
 * and the sockets that have become ready meanwhile.
 */
@SuppressWarnings("ReferenceEquality") // tasks are compared by identity
public final class TurnQueue extends LoopTask implements TurnUser {
  private static final TurnTask QUEUED = new TurnTask(() -> {});
  private static final VarHandle SUBMITTED =
      FieldHandle.of(MethodHandles.lookup(), "submitted", TurnTask.class);
  private static final VarHandle HANDED_OVER =
      FieldHandle.of(MethodHandles.lookup(), "handedOver", boolean.class);

  /** The time after which work without a turn is handed over again. */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NEVER = Long.MIN_VALUE;

  private final TurnHolder holder;
  private final TimeSlice slice;
  private final Turn work = this::runWork;

  // The newest first, down to QUEUED or null. Null only while this does not run: the thread that
  // replaces null hands this over to the loop, and does nothing in between that may wait.
  private volatile @Nullable TurnTask submitted;
  private volatile boolean handedOver; // in the loop's queue, which must not have this twice
  private @Nullable TurnTask oldest; // taken from the stack, in the order of submission; the loop's
  private boolean held; // taken from the loop's queue, or out of its reach; the loop's
  private boolean running; // a task of this queue; the loop's
  private @Nullable TurnUser outer; // of the turn in which a later step runs; the loop's
  private long suspectedNanos = NEVER; // when work was found that would get no turn; the loop's

  /** Creates an empty queue. */
  public TurnQueue(TurnHolder holder) {
    this.holder = holder;
    this.slice = holder.loop().slice();
  }

  EventLoop loop() {
    return holder.loop();
  }

  /** Adds work; callable from any thread. */
  public void submit(Turn task) {
    submitTask(new TurnTask(task));
  }

  void submitTask(TurnTask task) {
    if (add(task)) {
      handOver();
    }
  }

  /** Adds work. Returns true if the caller must hand this over to the loop, or hold it. */
  private boolean add(TurnTask task) {
    TurnTask newest;
    do {
      newest = submitted;
      task.next = newest;
    } while (!SUBMITTED.compareAndSet(this, newest, task));
    return newest == null;
  }

  /**
   * Adds work before all that waits, of which nothing has been taken; on the thread that takes the
   * loop.
   */
  void addFirst(TurnTask task) {
    assert oldest == null;
    oldest = task;
    requestTurn();
  }

  private void handOver() {
    if (HANDED_OVER.compareAndSet(this, false, true)) {
      try {
        holder.loop().execute(this);
      } catch (Throwable failure) {
        handedOver = false; // by a store, since the stack may have ended: see handOverIfLost
      }
    }
  }

  /**
   * Hands over to the loop work that has waited for a second without being in the loop's queue: the
   * thread that had to hand it over has failed, at the end of its stack or without memory. Returns
   * true if there was any; on the loop's thread, outside of the connection's turns.
   */
  public boolean handOverIfLost(long nowNanos) {
    if (submitted == null || handedOver) {
      suspectedNanos = NEVER;
      return false;
    }
    if (suspectedNanos == NEVER) {
      suspectedNanos = nowNanos;
    }
    if (nowNanos - suspectedNanos < LOST_NANOS) {
      return false;
    }
    suspectedNanos = NEVER;
    held = false;
    running = false;
    handOver();
    return true;
  }

  /** Requests a turn after those of other connections; on the loop's thread. */
  public void requestTurn() {
    if (submitted == null && SUBMITTED.compareAndSet(this, null, QUEUED)) {
      handOver();
    }
  }

  @Override
  protected void run() {
    HANDED_OVER.setRelease(this, false); // before it takes what was added until now
    held = true;
    try {
      take();
      holder.turn(work);
    } finally {
      if (loop().isCurrent()) { // otherwise endLeftRun does it
        endRun();
      }
    }
  }

  private void endRun() {
    running = false;
    held = false;
    suspectedNanos = NEVER;
    if (oldest != null || holder.wantsTurn() || !rest()) {
      handOver();
    }
  }

  /** Ends a run whose thread was relieved, if the turn was one; in its place. */
  public void endLeftRun() {
    if (held) {
      endRun();
    }
  }

  /** Runs the waiting tasks with a closed connection, because the loop takes none any more. */
  @Override
  protected void onRejected() {
    HANDED_OVER.setRelease(this, false);
    do {
      take();
      while (oldest != null) {
        TurnTask.runClosed(next(), loop());
      }
    } while (!rest());
  }

  private void runWork() throws IOException {
    if (holder.isClosed()) {
      while (oldest != null) {
        TurnTask.runClosed(next(), loop());
      }
      return;
    }
    slice.begin();
    running = true;
    while (oldest != null && !holder.isClosed() && slice.step()) {
      next().run();
    }
    running = false;
  }

  /** Runs work after its connection has closed, so that the work releases its resources. */
  public static void runClosed(Turn work, EventLoop loop) {
    TurnTask.runClosed(work, loop);
  }

  // ---- a later step of a thread that the loop carries ----

  /** Begins a step, which needs nothing of the turn that it is a task of. */
  void beginLaterStep() {
    outer = loop().user();
    loop().serve(this);
  }

  void endLaterStep() {
    loop().serve(Objects.requireNonNull(outer));
    outer = null;
  }

  @Override
  public void leaveHandler() {}

  @Override
  public void endLeftTurn() {
    TurnUser left = Objects.requireNonNull(outer);
    endLaterStep();
    left.endLeftTurn();
    endLeftRun(); // if the connection has closed, so that there was no turn
  }

  @Override
  public @Nullable String describe() {
    TurnUser around = outer;
    return around == null ? null : around.describe();
  }

  // ---- within a turn that something else has started ----

  /**
   * Adds work, and keeps the queue out of the loop's; in the server's code. {@link #endStep} must
   * follow if {@link #isHeld} is true only now.
   */
  void addHeld(TurnTask task) {
    if (add(task)) {
      held = true; // by a store, since the stack may have ended
    }
  }

  /** Returns true if {@link #endStep} must follow, or the end of a run. */
  boolean isHeld() {
    return held;
  }

  /** Returns true if work waits. */
  boolean isWaiting() {
    TurnTask newest = submitted;
    return oldest != null || (newest != null && newest != QUEUED);
  }

  /** Returns true while a task of this queue runs, after which the others do. */
  boolean isRunning() {
    return running;
  }

  /**
   * Runs work in the present turn, then all that was submitted until now, unless a task of this
   * queue runs, after which the others do. Throws nothing.
   *
   * @param first null for none
   */
  void drain(@Nullable Turn first) {
    LoopOwner owner = holder.loop().owner();
    boolean wasRunning = running;
    owner.pin(); // the frames of the handler can't be left
    running = true;
    try {
      if (first != null) {
        runNested(first);
      }
      if (!wasRunning && isWaiting()) {
        runNested();
        take();
        runNested();
      }
    } finally {
      running = wasRunning;
      owner.unpin();
    }
  }

  private void runNested() {
    while (oldest != null) {
      if (holder.isClosed()) {
        TurnTask.runClosed(next(), loop());
      } else {
        runNested(next());
      }
    }
  }

  /** Runs work of others than the caller, which doesn't concern its failure. */
  private void runNested(Turn work) {
    try {
      work.run();
    } catch (Throwable failure) {
      holder.onTaskFailure(failure);
    }
  }

  /**
   * Hands work over that was submitted within a turn; work that was submitted since gets a turn.
   */
  void endStep() {
    endRun();
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
