package dev.peregrine.server.loop;

import dev.peregrine.server.memory.Arena;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread that waits for sockets and tasks and serves them, turn by turn, until it is stopped.
 * Everything attached to a loop belongs to its thread; {@link #execute} is the only way in.
 */
public final class EventLoop {
  private static final int AWAKE = 0;
  private static final int ASLEEP = 1;
  private static final int WOKEN = 2;
  private static final int ENDED = 3;
  private static final VarHandle STATE;
  private static final VarHandle NANOS;

  /** Returned by {@link #busySinceNanos} while the loop waits. */
  static final long NOT_BUSY = Long.MIN_VALUE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(EventLoop.class, "state", int.class);
      NANOS = MethodHandles.lookup().findVarHandle(EventLoop.class, "nanos", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final Thread thread;
  private final Poller poller;
  private final Arena arena = new Arena();
  private final TaskQueue tasks = new TaskQueue();
  private final PriorityQueue<LoopTimer> timers = new PriorityQueue<>();
  private final LongSupplier clock;
  private final TimeSlice slice;
  private volatile int state = AWAKE; // ASLEEP: an offered task has to wake it, to WOKEN
  private long nanos;
  private final BoundedLog failures;
  private boolean stopping;
  private @Nullable Runnable onEnd;

  /** A loop that isn't running yet; {@link #start} runs it. */
  public EventLoop(String name, Transport transport) throws IOException {
    this(name, transport, System::nanoTime);
  }

  /**
   * A loop with a clock of the caller's.
   *
   * @param clock has the properties of {@link System#nanoTime}
   */
  public EventLoop(String name, Transport transport, LongSupplier clock) throws IOException {
    this.clock = clock;
    this.nanos = clock.getAsLong();
    this.slice = new TimeSlice(clock);
    this.poller = transport.openPoller(this::afterWait);
    this.failures = new BoundedLog(this);
    this.thread = Thread.ofPlatform().daemon(false).name(name).unstarted(this::run);
  }

  /** Starts the loop's thread. */
  public void start() {
    thread.start();
  }

  /**
   * Ends the loop after the current turn; callable from any thread.
   *
   * @param atEnd runs last on the loop's thread, to release what is attached to it
   */
  public void stop(Runnable atEnd) {
    execute(
        LoopTask.of(
            () -> {
              onEnd = atEnd;
              stopping = true;
            }));
  }

  /** Releases a loop that was never started. */
  public void abandon() {
    end();
  }

  /** Waits until the loop's thread has ended. */
  public void join() throws InterruptedException {
    thread.join();
  }

  /** Hands a task to the loop; callable from any thread. */
  public void execute(LoopTask task) {
    if (state == ENDED) {
      task.onRejected();
      return;
    }
    tasks.offer(task);
    int seen = state;
    if (seen == ASLEEP && STATE.compareAndSet(this, ASLEEP, WOKEN)) {
      poller.wakeUp();
    } else if (seen == ENDED) {
      rejectAll(); // it ended meanwhile, and may not have seen the task
    }
  }

  private synchronized void rejectAll() {
    for (LoopTask task = tasks.poll(); task != null; task = tasks.poll()) {
      task.onRejected();
    }
  }

  /** Like {@link #execute(LoopTask)}. */
  public void execute(Runnable work) {
    execute(LoopTask.of(work));
  }

  /** Runs work on the loop after a delay; only on the loop's thread. */
  public void schedule(long delayNanos, Runnable work) {
    timers.add(new LoopTimer(clock.getAsLong() + delayNanos, work));
  }

  /** Whether the caller is the loop's thread. */
  @SuppressWarnings("ReferenceEquality") // a thread is itself only; this is on every request's path
  public boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** The loop's thread, for diagnosis. */
  public Thread thread() {
    return thread;
  }

  public Poller poller() {
    return poller;
  }

  public Arena arena() {
    return arena;
  }

  /** The clock as read once in this turn. */
  public long nanos() {
    return nanos;
  }

  /** The share of this loop that the connection whose turn it is may take. */
  public TimeSlice slice() {
    return slice;
  }

  /** When the turn began that is under way, for diagnosis from another thread. */
  long busySinceNanos() {
    return state == AWAKE ? (long) NANOS.getOpaque(this) : NOT_BUSY;
  }

  /** Logs a failure unless there were too many of late; on the loop's thread. */
  public void report(String text, Throwable failure) {
    failures.add(text, failure);
  }

  private void run() {
    arena.confineTo(thread);
    poller.confine();
    try {
      while (!stopping) {
        turn();
      }
    } finally {
      end();
    }
  }

  private void turn() {
    try {
      clearInterrupt();
      poller.poll(timeoutNanos());
      runTimers();
      runTasks();
    } catch (Throwable failure) {
      // Sockets, timers and tasks have boundaries of their own: this is the poller itself.
      report("event loop " + thread.getName() + " goes on after", failure);
    }
  }

  /**
   * Clears an interrupt that application code has left on the loop's thread. Nobody interrupts a
   * loop with a purpose, and each file channel that is used later would be closed by it (see {@link
   * java.nio.channels.InterruptibleChannel}). Costs a load.
   */
  public static void clearInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  /** How long the poller may wait; the loop counts as asleep from here on if it may wait at all. */
  private long timeoutNanos() {
    long now = clock.getAsLong();
    slice.endTurn(now);
    state = ASLEEP;
    if (stopping || !tasks.isEmpty()) {
      state = AWAKE;
      return 0;
    }
    LoopTimer next = timers.peek();
    if (next == null) {
      return Poller.FOREVER;
    }
    return Math.max(0, next.dueNanos - now);
  }

  private void afterWait() {
    long now = clock.getAsLong();
    NANOS.setOpaque(this, now); // before the state, for busySinceNanos
    state = AWAKE;
    slice.beginTurn(now);
  }

  private void runTimers() {
    for (LoopTimer timer = timers.peek();
        timer != null && timer.dueNanos - nanos <= 0;
        timer = timers.peek()) {
      timers.poll();
      guard(timer.work);
    }
  }

  /**
   * Runs the tasks that are waiting now, as far as the time of one slice goes: one that is handed
   * over meanwhile, such as the next turn of a busy connection, comes after the sockets that have
   * become ready.
   */
  @SuppressWarnings("ReferenceEquality") // tasks are told apart by identity
  private void runTasks() {
    if (tasks.isEmpty()) {
      return;
    }
    LoopTask newest = tasks.newest();
    long began = clock.getAsLong();
    LoopTask task;
    do {
      task = tasks.poll();
      if (task == null) {
        return;
      }
      try {
        task.run();
      } catch (Throwable failure) {
        report("a task failed on " + thread.getName(), failure);
      }
    } while (task != newest && clock.getAsLong() - began < TimeSlice.NANOS_MAX);
  }

  private void guard(Runnable work) {
    try {
      work.run();
    } catch (Throwable failure) {
      report("a timer failed on " + thread.getName(), failure);
    }
  }

  private void end() {
    if (onEnd != null) {
      guard(onEnd);
    }
    state = ENDED;
    rejectAll();
    arena.close();
    try {
      poller.close();
    } catch (IOException failure) {
      BoundedLog.log(Level.WARNING, "closing the poller of " + thread.getName(), failure);
    }
  }

  private record LoopTimer(long dueNanos, Runnable work) implements Comparable<LoopTimer> {
    @Override
    public int compareTo(LoopTimer other) {
      return Long.signum(dueNanos - other.dueNanos);
    }
  }
}
